import { projectEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, test } from 'vitest'

describe('the active project in the frame', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  const chip = /^Active project/

  test('SHELL-09 is named in the header, and its colour is the line above everything', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Messe 2026', consoleColor: '#b8500f' })
    const { page } = await openConsole(server, { as: ada })
    const header = page.getByRole('banner')
    await expectPage(header.getByRole('link', { name: 'Active project: Messe 2026' })).toBeVisible()
    await expectPage(header).toHaveCSS('border-top-color', 'rgb(184, 80, 15)')
  })

  test('SHELL-09 a project without a colour of its own has #444', async () => {
    const ada = await given.person()
    await given.project(ada)
    const { page } = await openConsole(server, { as: ada })
    await expectPage(page.getByRole('banner')).toHaveCSS('border-top-color', 'rgb(68, 68, 68)')
  })

  test('HOME-01 without a project there is neither', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    await expectPage(page.getByRole('banner')).toHaveCSS('border-top-color', 'rgba(0, 0, 0, 0)')
    await expectPage(page.getByRole('link', { name: chip })).toHaveCount(0)
  })

  test('HOME-04 is the stored one while it exists, else the first', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Messe' })
    await given.project(ada, { label: 'Museum' })
    const { body } = await ada.call(projectEndpoints.list)
    const [first, second] = body.items
    const { page } = await openConsole(server, { as: ada })
    const active = page.getByRole('banner').getByRole('link', { name: chip })
    await expectPage(active).toHaveAccessibleName(`Active project: ${first?.label}`)

    await page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), second?._id ?? '')
    await page.reload()
    await expectPage(active).toHaveAccessibleName(`Active project: ${second?.label}`)

    await page.evaluate(() => localStorage.setItem('pult.activeProjectId', 'gone'))
    await page.reload()
    await expectPage(active).toHaveAccessibleName(`Active project: ${first?.label}`)
  })

  test('HOME-05 BUILD-03 reloads the page when another tab stores another one', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Messe' })
    await given.project(ada, { label: 'Museum' })
    const { body } = await ada.call(projectEndpoints.list)
    const last = body.items.at(-1)
    const here = await openConsole(server, { as: ada })
    await expectPage(here.page.getByRole('link', { name: chip })).toBeVisible()
    await here.page.evaluate(() => Object.assign(globalThis, { loaded: 'before' }))

    const elsewhere = await openConsole(server, { sameBrowserAs: here })
    await elsewhere.page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), last?._id ?? '')

    await expectPage(
      here.page.getByRole('link', { name: `Active project: ${last?.label ?? ''}` }),
    ).toBeVisible()
    await expectPage.poll(() => here.page.evaluate(() => Reflect.get(globalThis, 'loaded'))).toBeUndefined()
  })
})
