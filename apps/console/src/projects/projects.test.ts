import { organisationEndpoints, projectEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })
const server = await testServer({ withConsole: true })
const { given } = server

async function makeOrganisation(owner: GivenPerson, label: string): Promise<string> {
  return (await owner.call(organisationEndpoints.create, { body: { label } })).body._id
}
async function makeProject(owner: GivenPerson, label: string, org: string | null = null): Promise<string> {
  return (await owner.call(projectEndpoints.create, { body: { label, org } })).body._id
}
const main = ({ page }: OpenedConsole) => page.getByRole('main')
const group = (opened: OpenedConsole, name: string) =>
  main(opened).locator('section', { has: opened.page.getByRole('heading', { level: 2, name, exact: true }) })
const row = (opened: OpenedConsole, label: string) =>
  main(opened).getByRole('listitem').filter({ hasText: label })
const active = ({ page }: OpenedConsole) =>
  page.getByRole('banner').getByRole('link', { name: /^Active project/ })
const storedId = ({ page }: OpenedConsole) =>
  page.evaluate(() => localStorage.getItem('pult.activeProjectId'))

describe('the list of projects', () => {
  test('ROUTE-08 PROJ-03 groups by organisation, those without one under Private, and leads to Create project', async () => {
    const ada = await given.person()
    const messe = await makeOrganisation(ada, 'Messe Nürnberg')
    const art = await makeOrganisation(ada, 'Aaron Art')
    await makeProject(ada, 'Zu Hause')
    await makeProject(ada, 'Halle 4', messe)
    await makeProject(ada, 'Depot', art)
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    await expectPage(group(opened, 'Messe Nürnberg').getByRole('listitem')).toHaveText([/Halle 4/])
    await expectPage(group(opened, 'Private').getByRole('listitem')).toHaveText([/Zu Hause/])
    await expectPage(main(opened).getByRole('heading', { level: 2 })).toHaveText([
      'Aaron Art',
      'Messe Nürnberg',
      'Private',
    ])
    await main(opened).getByRole('link', { name: 'Create project' }).click()
    await expectPage(opened.page).toHaveURL('/projects/create')
  })

  test('ROUTE-08 without any project says what to do', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: '/projects' })
    await expectPage(main(opened).getByText('No projects yet')).toBeVisible()
    await expectPage(main(opened).getByRole('link', { name: 'Create project' })).toHaveCount(2)
  })

  test('DEC-17 HOME-04 HOME-05 choosing one makes it active here and in other tabs, and goes home', async () => {
    const ada = await given.person()
    await makeProject(ada, 'Messe')
    const museum = await makeProject(ada, 'Museum')
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const other = await openConsole(server, { path: '/me', sameBrowserAs: opened })
    await expectPage(active(other)).toHaveAccessibleName('Active project: Messe')
    await expectPage(row(opened, 'Messe').getByText('Active')).toBeVisible()
    await row(opened, 'Museum').getByRole('button').first().click()
    await expectPage(opened.page).toHaveURL('/')
    await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Museum' })).toBeVisible()
    expect(await storedId(opened)).toBe(museum)
    await expectPage(active(other)).toHaveAccessibleName('Active project: Museum')
  })

  test('SHELL-07 arrow keys move through the list and Enter chooses', async () => {
    const ada = await given.person()
    for (const label of ['Messe', 'Museum', 'Markt']) await makeProject(ada, label)
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const choice = (label: string) => row(opened, label).getByRole('button').first()
    await main(opened).getByRole('searchbox').press('ArrowDown')
    await expectPage(choice('Messe')).toBeFocused()
    await opened.page.keyboard.press('End')
    await expectPage(choice('Markt')).toBeFocused()
    await opened.page.keyboard.press('ArrowUp')
    await expectPage(choice('Museum')).toBeFocused()
    await opened.page.keyboard.press('Enter')
    await expectPage(opened.page).toHaveURL('/')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Museum')
  })

  test('DEC-16 marks the default project, and makes another one the default, which comes first from then on', async () => {
    const ada = await given.person()
    await makeProject(ada, 'Messe')
    const museum = await makeProject(ada, 'Museum')
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    await row(opened, 'Museum').getByRole('button', { name: 'Make Museum the default project' }).click()
    await expectPage(row(opened, 'Museum').getByText('Default', { exact: true })).toBeVisible()
    await expectPage(main(opened).getByRole('listitem')).toHaveText([/Museum/, /Messe/])
    const { body } = await ada.call(projectEndpoints.list)
    expect(body.items[0]).toMatchObject({ _id: museum, isDefault: true })
    // The page stays with the project it began with; the next one begins with the default.
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Messe')
    await opened.page.goto('/')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Museum')
  })

  test('DEC-32 searches what is loaded by words, quotes and keys', async () => {
    const ada = await given.person()
    const messe = await makeOrganisation(ada, 'Messe Nürnberg')
    await makeProject(ada, 'Halle Nord', messe)
    await makeProject(ada, 'Nord Halle')
    await makeProject(ada, 'Foyer', messe)
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const search = main(opened).getByRole('searchbox')
    const rows = main(opened).getByRole('listitem')
    for (const [text, found] of [
      ['halle nord', [/Halle Nord/, /Nord Halle/]],
      ['"halle nord"', [/Halle Nord/]],
      ['org:messe', [/Halle Nord/, /Foyer/]],
      ['private:true', [/Nord Halle/]],
      ['messe foyer', [/Foyer/]],
    ] as const) {
      await search.fill(text)
      await expectPage(rows).toHaveText([...found])
    }
    await search.fill('nowhere')
    await expectPage(main(opened).getByText('No project found')).toBeVisible()
  })

  test('DEC-32 HOME-04 beyond the first page the server searches, and the stored project is found there', async () => {
    const ada = await given.person()
    for (let number = 1; number <= 55; number += 1) await given.project(ada, { label: `Halle ${number}.` })
    const last = await makeProject(ada, 'Ganz hinten')
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const rows = main(opened).getByRole('listitem')
    await expectPage(rows).toHaveCount(50)
    await main(opened).getByRole('searchbox').fill('hinten')
    await expectPage(rows).toHaveText([/Ganz hinten/])
    await main(opened).getByRole('searchbox').fill('')
    await main(opened).getByRole('button', { name: 'Show more' }).click()
    await expectPage(rows).toHaveCount(56)
    await expectPage(main(opened).getByRole('button', { name: 'Show more' })).toHaveCount(0)

    await opened.page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), last)
    await opened.page.reload()
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Ganz hinten')
  })
})

describe('creating a project', () => {
  test('ROUTE-09 PROJ-01 PROJ-03 has Label and an optional organisation; the new project is the active one', async () => {
    const ada = await given.person()
    const messe = await makeOrganisation(ada, 'Messe Nürnberg')
    await makeProject(ada, 'Von früher')
    const opened = await openConsole(server, { as: ada, path: '/projects/create' })
    await opened.page.getByLabel('Label').fill('  Halle 4 ')
    await opened.page.getByLabel('Organization').selectOption('Messe Nürnberg')
    await opened.page.getByRole('button', { name: 'Save' }).click()
    await expectPage(opened.page).toHaveURL('/')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Halle 4')
    const { body } = await ada.call(projectEndpoints.read, {
      params: { projectId: (await storedId(opened)) ?? '' },
    })
    expect(body).toMatchObject({ label: 'Halle 4', org: messe, owner: ada.personId })
    expect(body.config.consoleColor).toBe('#444')
  })

  test('PROJ-02 an empty label is silently not saved; without an organisation it is private', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: '/projects/create' })
    const sent: unknown[] = []
    opened.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/projects'))
        sent.push(request.postDataJSON())
    })
    const save = opened.page.getByRole('button', { name: 'Save' })
    await save.click()
    await opened.page.getByLabel('Label').fill('   ')
    await save.click()
    await opened.page.keyboard.press('ControlOrMeta+s')
    await opened.page.waitForTimeout(300)
    expect(sent).toEqual([])
    await expectPage(opened.page).toHaveURL('/projects/create')
    await expectPage(opened.page.getByRole('alert')).toHaveCount(0)

    // The server tells of the first project before home is there: the page must not start anew where it is.
    await opened.page.route(/:\d+\/$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await route.continue()
    })
    await opened.page.getByLabel('Label').fill('Zu Hause')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(opened.page).toHaveURL('/')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Zu Hause')
    expect(sent).toEqual([{ label: 'Zu Hause', org: null }])
  })

  test('SHELL-08 API-24 RULE-59 a failing save by shortcut shows the server’s message, and the same create again is one record', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: '/projects/create' })
    await opened.page.getByLabel('Label').fill('Halle 4')
    let lost = 0
    await opened.page.route(/\/api\/projects$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      lost += 1
      await route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The answer was lost' } })
    })
    await opened.page.keyboard.press('ControlOrMeta+s')
    const notices = opened.page.getByRole('region', { name: 'Notifications' })
    await expectPage(notices.getByText('The answer was lost')).toBeVisible()
    await opened.page.unroute(/\/api\/projects$/)
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Halle 4')
    expect(lost).toBe(1)
    expect((await ada.call(projectEndpoints.list)).body.total).toBe(1)
  })
})

describe('live', () => {
  test('SHELL-09 DEC-34 WS-03 the colour of the console follows an update, with a text colour that reads', async () => {
    const ada = await given.person()
    const projectId = await makeProject(ada, 'Messe')
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const header = opened.page.getByRole('banner')
    await expectPage(header).toHaveCSS('border-top-color', 'rgb(68, 68, 68)')
    await expectPage(row(opened, 'Messe')).toBeVisible()
    const readAgain = opened.page.waitForRequest(/\/api\/projects/)
    const body = { label: 'Markt', config: { consoleColor: '#f7e36b' } }
    await ada.call(projectEndpoints.update, { params: { projectId }, body })
    await expectPage(header).toHaveCSS('border-top-color', 'rgb(247, 227, 107)')
    await expectPage(header.getByText('M', { exact: true })).toHaveCSS('color', 'rgb(0, 0, 0)')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Markt')
    await expectPage(row(opened, 'Markt')).toBeVisible()
    // What others do keeps nobody signed in.
    expect((await readAgain).headers()['x-pult-background']).toBe('1')
  })

  test('RULE-64 WS-03 what changed while the connection was away is there once it is back', async () => {
    const ada = await given.person()
    const projectId = await makeProject(ada, 'Messe')
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    await expectPage(row(opened, 'Messe')).toBeVisible()
    await opened.context.setOffline(true)
    await expectPage(opened.page.getByText('You are offline')).toBeVisible()
    await ada.call(projectEndpoints.update, { params: { projectId }, body: { label: 'Markt' } })
    await expectPage(row(opened, 'Messe')).toBeVisible()
    await opened.context.setOffline(false)
    await expectPage(row(opened, 'Markt')).toBeVisible()
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Markt')
    // And it goes on from there.
    await ada.call(projectEndpoints.update, { params: { projectId }, body: { label: 'Museum' } })
    await expectPage(row(opened, 'Museum')).toBeVisible()
  })

  test('HOME-04 when the active project is deleted, the page starts anew with the first one', async () => {
    const ada = await given.person()
    await makeProject(ada, 'Messe')
    const projectId = await makeProject(ada, 'Museum')
    const opened = await openConsole(server, { as: ada, path: null })
    await opened.context.addInitScript((id) => localStorage.setItem('pult.activeProjectId', id), projectId)
    await opened.page.goto('/projects')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Museum')
    await opened.page.evaluate(() => Object.assign(globalThis, { loaded: 'before' }))
    await ada.call(projectEndpoints.remove, { params: { projectId } })
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Messe')
    await opened.page.waitForFunction(() => Reflect.get(globalThis, 'loaded') === undefined)
    await expectPage(main(opened).getByRole('listitem')).toHaveText([/Messe/])
  })
})

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`ROUTE-08 ROUTE-09 accessible, ${theme}, ${width} px`, async () => {
      const ada = await given.person()
      const messe = await makeOrganisation(ada, 'Messe Nürnberg')
      await makeProject(ada, 'Ein Projekt mit einem Namen, der länger ist als ein Telefon breit', messe)
      await makeProject(ada, 'Zu Hause')
      const viewport = { width, height: 844 }
      const opened = await openConsole(server, { as: ada, path: '/projects', theme, viewport })
      await row(opened, 'Zu Hause')
        .getByRole('button', { name: /default/ })
        .click()
      await expectPage(row(opened, 'Zu Hause').getByText('Default', { exact: true })).toBeVisible()
      await opened.expectAccessible()
      expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await opened.page.goto('/projects/create')
      await expectPage(opened.page.getByLabel('Organization').getByRole('option')).toHaveCount(2)
      await opened.expectAccessible()
      expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(opened.complaints).toEqual([])
    })
  }
}
