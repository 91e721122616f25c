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
const rows = (opened: OpenedConsole) =>
  main(opened).getByRole('group', { name: 'Projects' }).getByRole('listitem')
const row = (opened: OpenedConsole, label: string) => rows(opened).filter({ hasText: label })
const active = ({ page }: OpenedConsole) => page.getByRole('button', { name: /^Active project/ })
const storedId = ({ page }: OpenedConsole) =>
  page.evaluate(() => localStorage.getItem('pult.activeProjectId'))

describe('the list of projects', () => {
  test('ROUTE-08 PROJ-03 DEC-32 groups projects by organisation, others under Private; the search and the order are part of the address', async () => {
    const ada = await given.person()
    const messe = await makeOrganisation(ada, 'Messe Nürnberg')
    const art = await makeOrganisation(ada, 'Aaron Art')
    await makeProject(ada, 'Halle Nord', messe)
    await makeProject(ada, 'Nord Halle')
    await makeProject(ada, 'Foyer', messe)
    await makeProject(ada, 'Depot', art)
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    await expectPage(group(opened, 'Messe Nürnberg').getByRole('listitem')).toHaveText([
      /Halle Nord/,
      /Foyer/,
    ])
    await expectPage(group(opened, 'Private').getByRole('listitem')).toHaveText([/Nord Halle/])
    const groups = main(opened).getByRole('group', { name: 'Projects' })
    await expectPage(groups.getByRole('heading', { level: 2 })).toHaveText([
      'Aaron Art',
      'Messe Nürnberg',
      'Private',
    ])

    // The search accepts words, quotes and keys.
    const search = main(opened).getByRole('searchbox')
    for (const [text, found] of [
      ['halle nord', [/Halle Nord/, /Nord Halle/]],
      ['"halle nord"', [/Halle Nord/]],
      ['org:messe', [/Halle Nord/, /Foyer/]],
      ['private:true', [/Nord Halle/]],
      ['messe foyer', [/Foyer/]],
    ] as const) {
      await search.fill(text)
      await expectPage(rows(opened)).toHaveText([...found])
    }
    await search.fill('nowhere')
    await expectPage(main(opened).getByText('No project found')).toBeVisible()

    await search.fill('messe')
    await expectPage(opened.page).toHaveURL('/projects?search=messe')
    await main(opened).getByRole('combobox', { name: 'Order of the projects' }).selectOption('By name')
    await expectPage(rows(opened)).toHaveText([/Foyer/, /Halle Nord/])
    await expectPage(opened.page).toHaveURL(/sort=name/)
    await opened.page.reload()
    await expectPage(search).toHaveValue('messe')
    await expectPage(rows(opened)).toHaveText([/Foyer/, /Halle Nord/])
    await main(opened).getByRole('link', { name: 'Create project' }).click()
    await expectPage(opened.page).toHaveURL('/projects/create')
  })

  test('ROUTE-08 without any project it shows the next step', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: '/projects' })
    await expectPage(main(opened).getByText('No projects yet')).toBeVisible()
    await expectPage(main(opened).getByRole('link', { name: 'Create project' })).toHaveCount(2)
  })

  test('DEC-17 HOME-04 HOME-05 a choice makes a project active here and in other tabs, and opens home', async () => {
    const ada = await given.person()
    await makeProject(ada, 'Messe')
    const museum = await makeProject(ada, 'Museum')
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const other = await openConsole(server, { path: '/me', sameBrowserAs: opened })
    await expectPage(active(other)).toHaveAccessibleName('Active project: Messe')
    await expectPage(row(opened, 'Messe').getByText('Active')).toBeVisible()
    await row(opened, 'Museum').getByRole('link').click()
    await expectPage(opened.page).toHaveURL('/')
    await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Museum' })).toBeVisible()
    expect(await storedId(opened)).toBe(museum)
    await expectPage(active(other)).toHaveAccessibleName('Active project: Museum')
  })

  test('SHELL-07 arrow keys move through the list and Enter chooses', async () => {
    const ada = await given.person()
    for (const label of ['Messe', 'Museum', 'Markt']) await makeProject(ada, label)
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const choice = (label: string) => row(opened, label).getByRole('link')
    const search = main(opened).getByRole('searchbox')
    await expectPage(rows(opened)).toHaveCount(3)
    await search.press('ArrowDown')
    await expectPage(choice('Messe')).toBeFocused()
    await opened.page.keyboard.press('ArrowUp')
    await expectPage(search).toBeFocused()
    await opened.page.keyboard.press('ArrowDown')
    await opened.page.keyboard.press('End')
    await expectPage(choice('Markt')).toBeFocused()
    await opened.page.keyboard.press('ArrowUp')
    await expectPage(choice('Museum')).toBeFocused()
    await opened.page.keyboard.press('Enter')
    await expectPage(opened.page).toHaveURL('/')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Museum')
  })

  test('DEC-16 marks the default project, and a new default comes first from then on', async () => {
    const ada = await given.person()
    await makeProject(ada, 'Messe')
    const museum = await makeProject(ada, 'Museum')
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    await row(opened, 'Museum').getByRole('button', { name: 'Actions for Museum' }).click()
    await opened.page.getByRole('menuitem', { name: 'Make default' }).click()
    await expectPage(row(opened, 'Museum').getByText('Default', { exact: true })).toBeVisible()
    // The order stays while the list has the focus.
    await main(opened).getByRole('searchbox').click()
    await expectPage(rows(opened)).toHaveText([/Museum/, /Messe/])
    const { body } = await ada.call(projectEndpoints.list)
    expect(body.items[0]).toMatchObject({ _id: museum, isDefault: true })
    // The page keeps its project. The next page load starts with the default one.
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Messe')
    await opened.page.goto('/')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Museum')
  })

  test('DEC-32 HOME-04 kubestellar/console#7642 beyond the first page the server searches and counts all matches, and the stored project is found there', async () => {
    const ada = await given.person()
    for (let number = 1; number <= 55; number += 1) await given.project(ada, { label: `Halle ${number}.` })
    const last = await makeProject(ada, 'Ganz hinten')
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    await expectPage(rows(opened)).toHaveCount(50)
    await main(opened).getByRole('searchbox').fill('hinten')
    await expectPage(rows(opened)).toHaveText([/Ganz hinten/])
    const found = main(opened)
      .getByRole('status')
      .filter({ hasText: /found$/ })
    await expectPage(found).toHaveText('1 project found')
    await main(opened).getByRole('searchbox').fill('halle')
    await expectPage(rows(opened)).toHaveCount(50)
    await expectPage(found).toHaveText('55 projects found')
    await main(opened).getByRole('searchbox').fill('')
    await main(opened).getByRole('button', { name: 'Show more' }).click()
    await expectPage(rows(opened)).toHaveCount(56)
    await expectPage(main(opened).getByRole('button', { name: 'Show more' })).toHaveCount(0)

    await opened.page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), last)
    // The address of this page may name its project by now, because another one is stored.
    await opened.page.goto('/projects')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Ganz hinten')
  })
})

describe('creating a project', () => {
  test('ROUTE-09 PROJ-01 PROJ-02 PROJ-03 the form has Label and an optional organisation, silently does not save an empty label, and makes the new project the active one', async () => {
    const ada = await given.person()
    const messe = await makeOrganisation(ada, 'Messe Nürnberg')
    await makeProject(ada, 'Von früher')
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
    expect(sent).toEqual([])
    await expectPage(opened.page).toHaveURL('/projects/create')
    await expectPage(opened.page.getByRole('alert')).toHaveCount(0)

    await opened.page.getByLabel('Label').fill('  Halle 4 ')
    await opened.page.getByLabel('Organisation').selectOption('Messe Nürnberg')
    await save.click()
    await expectPage(opened.page).toHaveURL('/')
    expect(sent).toHaveLength(1)
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Halle 4')
    const { body } = await ada.call(projectEndpoints.read, {
      params: { projectId: (await storedId(opened)) ?? '' },
    })
    expect(body).toMatchObject({ label: 'Halle 4', org: messe, owner: ada.personId })
    expect(body.config.consoleColor).toBe('#444')
  })

  test('PROJ-01 PROJ-02 the form offers the products, with the suggested ones chosen, and focuses the label; a project without an organisation is private', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada })
    await main(opened).getByRole('link', { name: 'Create project' }).click()
    await expectPage(opened.page.getByLabel('Label')).toBeFocused()
    const product = (name: string) => opened.page.getByRole('checkbox', { name, exact: true })
    await expectPage(product('Edges')).toBeChecked()
    await expectPage(product('Media Library')).toBeChecked()
    await expectPage(product('Hello')).not.toBeChecked()
    await expectPage(product('Project')).toHaveCount(0)
    await opened.expectAccessible()
    await product('Media Library').uncheck()
    const sent: unknown[] = []
    opened.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/projects'))
        sent.push(request.postDataJSON())
    })

    // The event of the first project arrives before home has loaded. The form's page must not reload.
    await opened.page.route(/:\d+\/$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await route.continue()
    })
    await opened.page.getByLabel('Label').fill('Zu Hause')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(opened.page).toHaveURL('/')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Zu Hause')
    expect(sent).toEqual([{ label: 'Zu Hause', org: null, products: ['edges'] }])
  })

  test('PROJ-02 the form names the fault of a rejected label at its field, which keeps the focus, until the label changes', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: '/projects/create' })
    const label = opened.page.getByLabel('Label')
    await label.fill('\u200b\u200b')
    await opened.page.getByRole('button', { name: 'Save' }).click()
    await expectPage(label).toHaveAccessibleDescription('Must not be empty')
    await expectPage(label).toBeFocused()
    await label.fill('Halle 4')
    await expectPage(label).toHaveAccessibleDescription('')
  })

  test('SHELL-08 API-24 RULE-59 a failed save by shortcut shows the server’s message, and its repeat creates one record', async () => {
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
    await expectPage(opened.page.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-disabled')
    await opened.page.unroute(/\/api\/projects$/)
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Halle 4')
    expect(lost).toBe(1)
    expect((await ada.call(projectEndpoints.list)).body.total).toBe(1)
  })
})

describe('live', () => {
  test('SHELL-09 DEC-34 WS-03 RULE-64 the colour of the console follows an update, with a readable text colour, and changes made while the connection was lost appear after the reconnection', async () => {
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
    await expectPage(active(opened).getByText('M', { exact: true })).toHaveCSS('color', 'rgb(0, 0, 0)')
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Markt')
    await expectPage(row(opened, 'Markt')).toBeVisible()
    // Events of other users do not extend the session.
    expect((await readAgain).headers()['x-pult-background']).toBe('1')

    await opened.context.setOffline(true)
    await expectPage(opened.page.getByText('You are offline')).toBeVisible()
    await ada.call(projectEndpoints.update, { params: { projectId }, body: { label: 'Museum' } })
    await expectPage(row(opened, 'Markt')).toBeVisible()
    await opened.context.setOffline(false)
    await expectPage(row(opened, 'Museum')).toBeVisible()
    await expectPage(active(opened)).toHaveAccessibleName('Active project: Museum')
    // Updates after the reconnection arrive as well.
    await ada.call(projectEndpoints.update, { params: { projectId }, body: { label: 'Mühle' } })
    await expectPage(row(opened, 'Mühle')).toBeVisible()
  })

  test('HOME-04 after the active project is deleted, the page reloads with the first one', async () => {
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
    await expectPage(rows(opened)).toHaveText([/Messe/])
  })
})

test('ROUTE-08 ROUTE-09 accessible in each theme and width', async () => {
  const ada = await given.person()
  const messe = await makeOrganisation(ada, 'Messe Nürnberg')
  await makeProject(ada, 'Ein Projekt mit einem Namen, der länger ist als ein Telefon breit', messe)
  await makeProject(ada, 'Zu Hause')
  const opened = await openConsole(server, { as: ada, path: '/projects' })
  await row(opened, 'Zu Hause').getByRole('button').click()
  await opened.page.getByRole('menuitem', { name: 'Make default' }).click()
  await expectPage(row(opened, 'Zu Hause').getByText('Default', { exact: true })).toBeVisible()
  await opened.expectAccessibleInLooks()
  await opened.page.goto('/projects/create')
  await expectPage(opened.page.getByLabel('Organisation').getByRole('option')).toHaveCount(2)
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})
