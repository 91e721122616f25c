import { projectEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, test } from 'vitest'

describe('the active project in the frame', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  const chip = /^Active project/

  test('SHELL-09 HOME-04 is the stored one while it exists, else the first; its name is above the navigation, and its colour is the line at the top', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Messe', consoleColor: '#b8500f' })
    await given.project(ada, { label: 'Museum', consoleColor: '#b8500f' })
    const { body } = await ada.call(projectEndpoints.list)
    const [first, second] = body.items
    const { page } = await openConsole(server, { as: ada })
    const active = page.getByRole('button', { name: chip })
    await expectPage(active).toHaveAccessibleName(`Active project: ${first?.label}`)
    await expectPage(page.getByRole('banner')).toHaveCSS('border-top-color', 'rgb(184, 80, 15)')

    await page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), second?._id ?? '')
    await page.reload()
    await expectPage(active).toHaveAccessibleName(`Active project: ${second?.label}`)

    await page.evaluate(() => localStorage.setItem('pult.activeProjectId', 'gone'))
    await page.reload()
    await expectPage(active).toHaveAccessibleName(`Active project: ${first?.label}`)
  })

  test('HOME-05 BUILD-03 a project stored by another tab reloads the page', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Messe' })
    await given.project(ada, { label: 'Museum' })
    const { body } = await ada.call(projectEndpoints.list)
    const last = body.items.at(-1)
    const here = await openConsole(server, { as: ada })
    await expectPage(here.page.getByRole('button', { name: chip })).toBeVisible()
    await here.page.evaluate(() => Object.assign(globalThis, { loaded: 'before' }))

    const elsewhere = await openConsole(server, { sameBrowserAs: here })
    await elsewhere.page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), last?._id ?? '')

    await expectPage(
      here.page.getByRole('button', { name: `Active project: ${last?.label ?? ''}` }),
    ).toBeVisible()
    await expectPage.poll(() => here.page.evaluate(() => Reflect.get(globalThis, 'loaded'))).toBeUndefined()
  })
})
