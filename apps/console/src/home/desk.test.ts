import { edgeEndpoints, projectEndpoints, rootGrantEndpoints, taskEndpoints } from '@pult/contract'
import {
  expectPage,
  type GivenPerson,
  muteEvents,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { describe, expect, test } from 'vitest'
import { givenDesk } from './testing/given-desk.ts'

const server = await testServer({ withConsole: true })
const { given } = server

const main = ({ page }: OpenedConsole) => page.getByRole('main')
const card = (opened: OpenedConsole, name: RegExp | string) => main(opened).getByRole('region', { name })
const problems = (opened: OpenedConsole) =>
  main(opened).getByRole('list', { name: 'Problems' }).getByRole('listitem')

const withEdges = { label: 'Messe', products: ['project', 'edges'] }

const desk = givenDesk(server)
const offlineEdge = (projectId: string, label: string, minutes: number) =>
  desk.edge(projectId, { label, minutes })
const failedTask = (projectId: string, by: GivenPerson, title: string) =>
  desk.failedTask(projectId, { title, by })

describe('the desk of a project', () => {
  test('DEC-17 problems come first with their actions, the longest outage on top; the others follow after five rows on request', async () => {
    const ada = await given.person({ firstname: 'Ada', lastname: 'Lovelace' })
    const { projectId } = await given.project(ada, withEdges)
    await Promise.all([1, 2, 3, 4, 5].map((hours) => offlineEdge(projectId, `Crane ${hours}`, hours * 60)))
    await failedTask(projectId, ada, 'Import of shifts')
    const opened = await openConsole(server, { as: ada })
    await expectPage(main(opened).getByText('6 problems')).toBeVisible()
    await expectPage(problems(opened)).toHaveText([/Crane 5/, /Crane 4/, /Crane 3/, /Crane 2/, /Crane 1/])
    await expectPage(problems(opened).first()).toContainText(/is offline · 5\Wh/)
    await main(opened).getByRole('button', { name: '1 more' }).click()
    const last = problems(opened).last()
    await expectPage(last).toContainText('Row 18 is empty · started by Ada Lovelace')

    await last.getByRole('button', { name: 'Show log' }).click()
    await expectPage(opened.page.getByRole('dialog')).toContainText('Reading row 18')
    await opened.page.keyboard.press('Escape')
    await last.getByRole('button', { name: 'Archive' }).click()
    await expectPage(problems(opened)).toHaveCount(5)
    const ids = async () =>
      (await ada.call(taskEndpoints.list, { params: { projectId } })).body.items.map(({ _id }) => _id)
    expect(await ids()).toEqual([])
    await opened.page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(problems(opened)).toHaveCount(6)
    expect(await ids()).toHaveLength(1)

    await problems(opened).first().getByRole('button', { name: 'Open' }).click()
    await expectPage(opened.page).toHaveURL(/\/app\/edges\/edit\//)
  })

  test('a failed export can be retried on home and in the panel, which resolves its problem', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, { label: 'Messe' })
    for (const title of ['First', 'Second']) await desk.failedExport(projectId, { title, by: ada })
    const opened = await openConsole(server, { as: ada })
    await expectPage(problems(opened)).toHaveCount(2)
    const row = problems(opened).first()
    await expectPage(row.getByRole('button')).toHaveText(['Retry', 'Archive', ''])
    await row.getByRole('button', { name: 'Actions for Export: First' }).click()
    const menu = opened.page.getByRole('menu')
    await expectPage(menu.getByRole('menuitem')).toHaveText(['Retry', 'Show log', 'Archive'])
    await opened.page.keyboard.press('Escape')
    await row.getByRole('button', { name: 'Retry' }).click()
    await expectPage(problems(opened)).toHaveCount(1)
    // The card of tasks shows the success.
    await expectPage(opened.page.getByText(/started again/)).toHaveCount(0)

    await opened.page.getByRole('button', { name: /^Tasks/ }).click()
    const panel = opened.page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Retry: Export: Second' }).click()
    await expectPage(panel.getByRole('button', { name: /^Retry/ })).toHaveCount(0)
    const { body } = await ada.call(taskEndpoints.list, { params: { projectId } })
    expect(body.total).toBe(4)
  })

  test('an empty project explains edges and offers to add the first; afterwards counts and cells of the fleet are links, and a new edge appears automatically', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, withEdges)
    const opened = await openConsole(server, { as: ada })
    await expectPage(card(opened, 'Fleet').getByText('No edges yet')).toBeVisible()
    await expectPage(card(opened, 'Tasks').getByText('Nothing is running')).toBeVisible()
    await expectPage(main(opened).getByText('All well')).toBeVisible()
    await expectPage(problems(opened)).toHaveCount(0)
    await expectPage(main(opened).getByRole('link', { name: 'Add an edge' })).toHaveCount(1)
    await card(opened, 'Fleet').getByRole('link', { name: 'Add an edge' }).click()
    await expectPage(opened.page.getByRole('dialog')).toBeVisible()

    const gate = await offlineEdge(projectId, 'Gate', 5)
    await opened.page.goto('/')
    const fleet = card(opened, 'Fleet')
    await expectPage(fleet.getByRole('link', { name: '1 offline' })).toHaveAttribute(
      'href',
      /^\/app\/edges\?state=offline/,
    )
    await expectPage(fleet.getByRole('link', { name: 'Gate: offline' })).toHaveAttribute(
      'href',
      new RegExp(`/app/edges/edit/${gate}`),
    )
    await ada.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Crane' } })
    await expectPage(fleet.getByRole('link', { name: 'Crane: waiting' })).toBeVisible()
  })

  test('the load of an edge is a strip below its name, not a line through it', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, withEdges)
    await desk.edge(projectId, { label: 'Landanschluss 2', state: 'online' })
    const opened = await openConsole(server, { as: ada })
    const cell = card(opened, 'Fleet').getByRole('link', { name: /^Landanschluss 2/ })
    await expectPage(cell).toHaveCSS('background-size', /^\S+ 3px/)
    await expectPage(cell).toHaveCSS('background-position', /^0% 100%/)
  })

  test('DEC-14 a reader without roles sees neither edges nor people, and may not invite', async () => {
    const ada = await given.person()
    const reader = await given.person()
    const { projectId } = await given.project(ada, {
      ...withEdges,
      grants: [{ person: reader, productRole: 'project/viewer' }],
    })
    await offlineEdge(projectId, 'Gate', 5)
    const opened = await openConsole(server, { as: reader })
    await expectPage(card(opened, 'Tasks').getByText('Nothing is running')).toBeVisible()
    await expectPage(main(opened).getByText('Gate')).toHaveCount(0)
    await expectPage(card(opened, 'Fleet')).toHaveCount(0)
    // An edge that this user may not see is offline.
    await expectPage(main(opened).getByText('All well')).toHaveCount(0)
    await expectPage(main(opened).getByRole('link', { name: 'Invite' })).toHaveCount(0)
    await expectPage(main(opened).getByRole('link', { name: 'Add an edge' })).toHaveCount(0)
  })

  test('a failed request affects only the cards, which offer a retry; the apps work', async () => {
    const ada = await given.person()
    await given.project(ada, withEdges)
    const opened = await openConsole(server, { as: ada, path: null })
    await muteEvents(opened.page)
    await opened.page.route(/\/api\/projects\/[^/]+\/home$/, (route) =>
      route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'The server is closed' } }),
    )
    await opened.page.goto('/')
    const tasks = card(opened, 'Tasks')
    await expectPage(tasks.getByText('The server is closed')).toBeVisible()
    const inPlace = card(opened, 'Problems')
    await expectPage(inPlace.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expectPage(main(opened).getByRole('list', { name: 'Apps' }).getByRole('link').first()).toBeVisible()
    await opened.page.unroute(/\/api\/projects\/[^/]+\/home$/)
    await tasks.getByRole('button', { name: 'Try again' }).click()
    await expectPage(tasks.getByText('Nothing is running')).toBeVisible()
    await expectPage(inPlace).toHaveCount(0)
  })

  test('HOME-04 RULE-52 a project that disappears, or whose access ends, while its home is open is reported by name', async () => {
    const ada = await given.person()
    const root = await given.person({ isRoot: true })
    await given.project(ada, { label: 'Museum' })
    const { projectId, grantIds } = await given.project(await given.person(), {
      ...withEdges,
      grants: [{ person: ada, productRole: 'edges/viewer' }],
    })
    const opened = await openConsole(server, { as: ada, path: `/?project=${projectId}` })
    await expectPage(card(opened, 'Tasks').getByText('Nothing is running')).toBeVisible()
    const params = { projectId, grantId: grantIds[0] ?? '' }
    expect(await root.call(rootGrantEndpoints.remove, { params })).toSucceed()
    await expectPage(opened.page.getByText('Messe is gone')).toBeVisible()
    await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Museum' })).toBeVisible()

    const own = await given.project(ada, { ...withEdges, label: 'Markt' })
    await opened.page.goto(`/?project=${own.projectId}`)
    await expectPage(card(opened, 'Tasks').getByText('Nothing is running')).toBeVisible()
    await ada.call(projectEndpoints.remove, { params: { projectId: own.projectId } })
    await expectPage(opened.page.getByText('Markt is gone')).toBeVisible()
    await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Museum' })).toBeVisible()
  })
})

test('the desk is accessible in each theme and width', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await offlineEdge(projectId, 'Gate with a name that is longer than a telephone is wide, much longer', 500)
  await failedTask(projectId, ada, 'Import')
  await ada.call(projectEndpoints.invite, {
    params: { projectId },
    body: { email: 'kai@example.org', productRole: 'edges/viewer' },
  })
  const opened = await openConsole(server, { as: ada })
  await expectPage(card(opened, 'Invited')).toBeVisible()
  await opened.expectAccessibleInLooks()
})
