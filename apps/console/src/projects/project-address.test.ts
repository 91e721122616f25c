import { projectEndpoints, rootGrantEndpoints } from '@pult/contract'
import { expectPage, extensionFolder, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const entry = `
  import { createElement as h } from 'react'
  import { AppLink, useAppPath, useProject } from '@pult/sdk'
  import { ButtonLink } from '@pult/sdk/ui'
  const page = (name) => function Page() {
    return h('p', null, name + ' of ' + useProject().label + ' ',
      h(AppLink, { to: 'plan' }, 'To the plan'), ' ', h(ButtonLink, { href: useAppPath()('') }, 'To the start'))
  }
  const desk = { routes: [
    { name: 'app-desk', path: '', Component: page('Start') },
    { name: 'app-desk-plan', path: 'plan', Component: page('Plan') },
  ] }
  export default { register: ({ registerApp }) => registerApp({ id: 'desk', loader: async () => ({ default: desk }) }) }`

const desk = {
  id: 'desk',
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: 'Desk',
  icon: 'box',
  productSku: 'works',
}

const extensionsFolder = await extensionFolder({
  works: {
    manifest: {
      id: 'works',
      products: [{ sku: 'works', label: 'Works', roles: [{ id: 'guest', label: 'Guest', roles: [] }] }],
      apps: [desk],
    },
    files: { 'entry.js': entry },
  },
})

const storedProject = 'pult.activeProjectId'

describe('the project in the address', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const { given } = server
  const root = await given.person({ isRoot: true })

  /** Creates a user with two projects. The first one is stored in the browser. */
  async function openWithTwo(path: (ids: { hall: string; pier: string }) => string) {
    const person = await given.person()
    const { projectId: hall } = await given.project(person, { label: 'Hall 7', products: ['works'] })
    const { projectId: pier } = await given.project(person, { label: 'Pier 3', products: ['works'] })
    const opened = await openConsole(server, { as: person, path: null })
    await opened.page.addInitScript(
      ([key, id]) => localStorage.getItem(key) ?? localStorage.setItem(key, id),
      [storedProject, hall] as const,
    )
    await opened.page.goto(path({ hall, pier }))
    return { ...opened, person, opened, hall, pier }
  }

  test('DEC-30 an app link opens in the project that it names, and keeps the stored project; an address that changes to another project on the same page opens that project', async () => {
    const { page, hall, pier } = await openWithTwo((ids) => `/app/desk/plan?project=${ids.pier}`)
    await expectPage(page.getByText('Plan of Pier 3')).toBeVisible()
    expect(await page.evaluate((key) => localStorage.getItem(key), storedProject)).toBe(hall)

    await page.getByRole('link', { name: 'To the start' }).click()
    await expectPage(page.getByText('Start of Pier 3')).toBeVisible()
    await expectPage(page).toHaveURL(`/app/desk?project=${pier}`)
    await page.getByRole('link', { name: 'To the plan' }).click()
    await expectPage(page).toHaveURL(`/app/desk/plan?project=${pier}`)
    await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
    await expectPage(page).toHaveURL(`/?project=${pier}`)
    await page.reload()
    await expectPage(page.getByRole('heading', { level: 1, name: 'Pier 3' })).toBeVisible()

    await page.goto(`/app/desk?project=${hall}`)
    await expectPage(page.getByText('Start of Hall 7')).toBeVisible()
    await page.goto(`/app/desk/plan?project=${pier}`)
    await expectPage(page.getByText('Plan of Pier 3')).toBeVisible()
    await page.goBack()
    await expectPage(page.getByText('Start of Hall 7')).toBeVisible()
  })

  test('DEC-30 DEC-14 the console adds the project to app links and to an app address without one, and an address of a project without access leads home with a notice', async () => {
    const { page, hall } = await openWithTwo(() => '/')
    const tile = page.getByRole('list', { name: 'Apps' }).getByRole('link', { name: 'Desk' })
    await expectPage(tile).toHaveAttribute('href', `/app/desk?project=${hall}`)
    await expectPage(page).toHaveURL('/')
    await tile.click()
    await expectPage(page).toHaveURL(`/app/desk?project=${hall}`)
    await expectPage(page.getByRole('link', { name: 'To the start' })).toHaveAttribute(
      'href',
      `/app/desk?project=${hall}`,
    )
    await page.goto('/app/desk/plan')
    await expectPage(page).toHaveURL(`/app/desk/plan?project=${hall}`)
    await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
    await expectPage(page).toHaveURL('/')

    const stranger = await given.person()
    const { projectId } = await given.project(stranger, { label: 'Tower 1', products: ['works'] })
    await page.goto(`/app/desk?project=${projectId}`)
    await expectPage(page.getByText('You do not have access to this project')).toBeVisible()
    await expectPage(page).toHaveURL('/')
    await expectPage(page.getByRole('heading', { level: 1, name: 'Hall 7' })).toBeVisible()
  })

  test('DEC-30 HOME-05 a tab whose address names its project does not reload when another tab switches', async () => {
    const { page, opened, hall, pier } = await openWithTwo((ids) => `/app/desk?project=${ids.hall}`)
    await expectPage(page.getByText('Start of Hall 7')).toBeVisible()
    const other = await openConsole(server, { sameBrowserAs: opened })
    await expectPage(other.page.getByRole('heading', { level: 1, name: 'Hall 7' })).toBeVisible()
    await page.evaluate(() => Object.assign(globalThis, { loaded: 'once' }))

    await page.evaluate(([key, id]) => localStorage.setItem(key, id), [storedProject, pier] as const)
    await expectPage(other.page.getByRole('heading', { level: 1, name: 'Pier 3' })).toBeVisible()
    await other.page.evaluate(([key, id]) => localStorage.setItem(key, id), [storedProject, hall] as const)
    await expectPage(page.getByText('Start of Hall 7')).toBeVisible()
    expect(await page.evaluate(() => Reflect.get(globalThis, 'loaded'))).toBe('once')
  })

  test('HOME-04 a missing stored project is replaced, and requested in one start only', async () => {
    const { page, hall, pier, person } = await openWithTwo(() => '/')
    await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate((key) => localStorage.setItem(key, 'gone'), storedProject)
    await page.reload()
    await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible()
    const { body } = await person.call(projectEndpoints.list)
    const first = body.items[0]?._id ?? ''
    expect([hall, pier]).toContain(first)
    await expectPage.poll(() => page.evaluate((key) => localStorage.getItem(key), storedProject)).toBe(first)

    const missing: string[] = []
    page.on('response', (response) => response.status() === 404 && missing.push(response.url()))
    await page.reload()
    await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(missing).toEqual([])
  })

  test('DEC-30 revoking a grant while its app is open leads to the notice', async () => {
    const owner = await given.person()
    const { projectId } = await given.project(owner, { label: 'Dock 2', products: ['works'] })
    const guest = await given.person()
    const { body } = await root.call(rootGrantEndpoints.add, {
      params: { projectId },
      body: { user: guest.personId },
    })
    const grantId = body._id
    await owner.call(projectEndpoints.changeProductRole, {
      params: { projectId, grantId },
      body: { productRole: 'works/guest' },
    })
    const { page } = await openConsole(server, { as: guest, path: `/app/desk?project=${projectId}` })
    await expectPage(page.getByText('Start of Dock 2')).toBeVisible()
    await root.call(rootGrantEndpoints.remove, { params: { projectId, grantId } })
    await expectPage(page.getByText('You do not have access to this project')).toBeVisible()
    await expectPage(page).toHaveURL('/')
  })
})
