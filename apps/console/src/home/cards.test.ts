import { edgeEndpoints } from '@pult/contract'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { givenDesk } from './testing/given-desk.ts'

const server = await testServer({ withConsole: true })
const { given, db } = server
const desk = givenDesk(server)

const withEdges = { label: 'Messe', products: ['project', 'edges'] }

const main = ({ page }: OpenedConsole) => page.getByRole('main')
const card = (opened: OpenedConsole, name: string) => main(opened).getByRole('region', { name, exact: true })

/** The parts of home in their order. */
const partsOf = (opened: OpenedConsole) =>
  main(opened)
    .locator('section:is([aria-label], [aria-labelledby])')
    .evaluateAll((parts) =>
      parts.map((part) => part.getAttribute('aria-label') ?? part.querySelector('h2')?.textContent ?? ''),
    )

test('home offers only actions whose app the project has', async () => {
  const ada = await given.person({ isRoot: true })
  const { projectId } = await given.project(ada, { label: 'Messe', products: [] })
  const opened = await openConsole(server, { as: ada, path: `/?project=${projectId}` })
  await expectPage(card(opened, 'Tasks').getByText('Nothing is running')).toBeVisible()
  await expectPage(main(opened).getByRole('link', { name: 'Invite' })).toHaveCount(0)
  await expectPage(main(opened).getByRole('link', { name: 'Add an edge' })).toHaveCount(0)
  await main(opened).getByRole('button', { name: 'More actions' }).click()
  await expectPage(opened.page.getByRole('menuitem')).toHaveText(['All tasks', 'All projects'])
})

test('each count of the fleet opens the edges in exactly that state', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  const states = ['online', 'trouble', 'offline', 'waiting', 'revoked'] as const
  for (const state of states) await desk.edge(projectId, { label: `Edge ${state}`, state })
  const opened = await openConsole(server, { as: ada })
  for (const state of states) {
    await card(opened, 'Fleet')
      .getByRole('link', { name: `1 ${state}` })
      .click()
    await expectPage(opened.page.getByRole('link', { name: `Edge ${state}`, exact: true })).toBeVisible()
    await expectPage(opened.page.getByRole('link', { name: /^Edge (?!s)/ })).toHaveCount(1)
    await opened.page.goBack()
  }
})

test('the navigation shows that an edge has a problem, with offline edges taking priority', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await desk.edge(projectId, { label: 'Gate', state: 'trouble' })
  const opened = await openConsole(server, { as: ada })
  const navigation = opened.page.getByRole('navigation', { name: 'Main navigation' })
  const entry = navigation.getByRole('link', { name: 'Edges 1 edge, 1 in trouble' })
  await expectPage(entry.locator('[data-status=warning]')).toBeVisible()
  await desk.edge(projectId, { label: 'Crane', state: 'offline' })
  await opened.page.reload()
  const worse = navigation.getByRole('link', { name: 'Edges 2 edges, 1 offline, 1 in trouble' })
  await expectPage(worse.locator('[data-status=danger]')).toBeVisible()
})

test('the cells of a small fleet show names, those of a larger one only on hover', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  for (let number = 1; number <= 8; number += 1)
    await desk.edge(projectId, { label: `Crane ${number}`, state: number === 1 ? 'offline' : 'online' })
  const opened = await openConsole(server, { as: ada })
  const cells = card(opened, 'Fleet')
    .getByRole('list', { name: 'Edges of the project' })
    .getByRole('listitem')
  await expectPage(cells).toHaveCount(8)
  await expectPage(cells.first()).toHaveText('Crane 1')
  await opened.expectAccessible()
  await desk.edge(projectId, { label: 'Crane 9', state: 'waiting' })
  await opened.page.reload()
  await expectPage(cells).toHaveCount(9)
  await expectPage(cells.first()).toHaveText('')
  await expectPage(cells.first().getByRole('link', { name: /^Crane 1: offline/i })).toBeVisible()
})

test('a failed load of other projects’ problems is reported and can be retried', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  const other = await given.project(ada, { ...withEdges, label: 'Other' })
  await desk.edge(other.projectId, { label: 'Crane', state: 'offline' })
  const opened = await openConsole(server, { as: ada, path: null })
  await opened.page.route(/attentionExcept/, (route) =>
    route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }),
  )
  await opened.page.goto(`/?project=${projectId}`)
  const elsewhere = card(opened, 'In other projects')
  await expectPage(elsewhere).toContainText('Access denied')
  await opened.expectAccessible()
  await opened.page.unroute(/attentionExcept/)
  await elsewhere.getByRole('button', { name: 'Try again' }).click()
  await expectPage(elsewhere).toContainText('Crane')
})

test('a fleet of more than 96 edges shows a bar for each tag, which links to its edges', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await sql`
    insert into edge (id, project_id, label, token_hash, tags)
    select gen_random_uuid(), ${projectId}, 'Edge ' || n, sha256((${projectId} || n)::bytea),
      case when n <= 60 then '{Crane}' when n <= 90 then '{Hall 2}' else '{}' end::text[]
    from generate_series(1, 97) n`.execute(db)
  const opened = await openConsole(server, { as: ada })
  const fleet = card(opened, 'Fleet')
  const tags = fleet.getByRole('list', { name: 'Edges by tag' }).getByRole('listitem')
  await expectPage(tags).toHaveText(['Crane60 edges', 'Hall 230 edges', 'No tag7 edges'])
  await expectPage(tags.nth(1).getByRole('link')).toHaveAttribute('href', /^\/app\/edges\?tags=Hall%202(&|$)/)
  await expectPage(tags.nth(1).getByRole('img', { name: '30 waiting' })).toBeVisible()
  await expectPage(tags.nth(2).getByRole('link')).toHaveCount(0)
  await expectPage(fleet.getByRole('list', { name: 'Edges of the project' })).toHaveCount(0)
})

test('running tasks show their progress and an abort; five failed tasks are listed and all are counted', async () => {
  const ada = await given.person({ firstname: 'Ada', lastname: 'Lovelace' })
  const reader = await given.person()
  const { projectId } = await given.project(ada, {
    ...withEdges,
    grants: [{ person: reader, productRole: 'project/viewer' }],
  })
  await desk.runningTask(projectId, { title: 'Transcode', by: ada })
  for (const title of ['A', 'B', 'C', 'D', 'E', 'F', 'G'])
    await desk.failedTask(projectId, { title: `Import ${title}`, by: ada })
  const opened = await openConsole(server, { as: ada })
  const tasks = card(opened, 'Tasks')
  await expectPage(tasks).toContainText('1 running · 7 failed in 24\u202Fh')
  const running = tasks.getByRole('listitem').filter({ hasText: 'Transcode' })
  await expectPage(running).toContainText('62\u202F%')
  await expectPage(running.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '62')
  await expectPage(tasks.getByRole('listitem').filter({ hasText: 'Import' })).toHaveCount(5)
  await expectPage(tasks.getByRole('link', { name: '2 more' })).toHaveAttribute(
    'href',
    /^\/tasks\?state=failed/,
  )

  const others = await openConsole(server, { as: reader })
  await expectPage(card(others, 'Tasks')).toContainText('Transcode')
  await expectPage(card(others, 'Tasks').getByRole('button')).toHaveCount(0)

  const abort = running.getByRole('button', { name: 'Abort: Transcode' })
  await expectPage(abort).toHaveCSS('opacity', '0')
  await running.hover()
  await expectPage(abort).toHaveCSS('opacity', '1')
  await abort.click()
  const question = opened.page.getByRole('alertdialog', { name: 'Abort this task?' })
  await question.getByRole('button', { name: 'Keep running' }).click()
  await expectPage(question).toHaveCount(0)
  await abort.press('Enter')
  await question.getByRole('button', { name: 'Abort' }).click()
  await expectPage(running).toHaveCount(0)
})

test('values are the medians of the online edges', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await desk.edge(projectId, { label: 'Gate', state: 'online' })
  const opened = await openConsole(server, { as: ada })
  const values = card(opened, 'Values')
  await expectPage(values).toContainText('Load')
  await expectPage(values).toContainText('Memory')
  await expectPage(values).toContainText(/50\u202F%/)
  await expectPage(values).toContainText(/25\u202F%/)
})

test('the apps follow the problems, or the fleet if the project has edges; home sends each request once', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { label: 'Markt', products: ['project'] })
  await desk.failedTask(projectId, { title: 'Import', by: ada })
  const without = await openConsole(server, { as: ada, path: `/?project=${projectId}` })
  await expectPage(card(without, '1 problem')).toBeVisible()
  expect((await partsOf(without)).slice(0, 3)).toEqual(['1 problem', 'Apps', 'Tasks'])

  const busy = await given.project(ada, withEdges)
  await desk.failedTask(busy.projectId, { title: 'Import', by: ada })
  await desk.edge(busy.projectId, { label: 'Gate', state: 'online' })
  const opened = await openConsole(server, { as: ada, path: null })
  const paths: string[] = []
  opened.page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await opened.page.goto(`/?project=${busy.projectId}`)
  await expectPage(card(opened, 'Values')).toContainText('Load')
  expect((await partsOf(opened)).slice(0, 5)).toEqual(['1 problem', 'Fleet', 'Values', 'Apps', 'Tasks'])
  const ofHome = [`/api/projects/${busy.projectId}/home`, `/api/projects/${busy.projectId}/edge-fleet-values`]
  expect(paths.filter((path) => ofHome.includes(path))).toEqual(ofHome)
})

test('E opens the enrolment and is shown on its link, unless single-letter shortcuts are off', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await ada.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Crane' } })
  const opened = await openConsole(server, { as: ada })
  const { page } = opened
  const add = main(opened).getByRole('link', { name: 'Add an edge', exact: true })
  await expectPage(add.locator('kbd')).toHaveText('E')
  await page.keyboard.press('Shift+?')
  await expectPage(
    page.getByRole('dialog').getByRole('term').filter({ hasText: 'Add an edge' }),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await expectPage(page).toHaveURL(/\/app\/edges\/create/)

  await page.evaluate(() => localStorage.setItem('pult.letterKeys', 'off'))
  await page.goto('/')
  await expectPage(add).toBeVisible()
  await expectPage(add.locator('kbd')).toHaveCount(0)
  await page.keyboard.press('e')
  await page.keyboard.press('Shift+?')
  await expectPage(page).toHaveURL(/\/(\?|$)/)
})

test('activity shows times, and leads root to the audit log of this project', async () => {
  const root = await given.person({ isRoot: true })
  const { projectId } = await given.project(root, withEdges)
  await root.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Crane' } })
  const opened = await openConsole(server, { as: root, path: `/?project=${projectId}` })
  const activity = card(opened, 'Recent activity')
  await expectPage(activity.locator('time').first()).toHaveText(/^(jetzt|vor )/)
  await activity.getByRole('link', { name: 'Everything' }).click()
  await expectPage(opened.page).toHaveURL(({ searchParams }) => searchParams.get('inProject') === projectId)
  await expectPage(main(opened).getByRole('grid', { name: 'Events' })).toContainText('Edge added')
})

test('on a touch screen every control of home has a target of 44 px', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  for (const state of ['online', 'trouble', 'offline', 'waiting'] as const)
    await desk.edge(projectId, { label: state, state })
  await desk.runningTask(projectId, { title: 'Transcode', by: ada })
  for (const title of ['A', 'B', 'C', 'D', 'E', 'F']) await desk.failedTask(projectId, { title, by: ada })
  const opened = await openConsole(server, { as: ada, viewport: { width: 390, height: 844 } })
  const session = await opened.context.newCDPSession(opened.page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await expectPage.poll(() => opened.page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
  await expectPage(card(opened, 'Tasks').getByRole('link', { name: '1 more' })).toBeVisible()
  await expectPage(card(opened, 'Values')).toContainText('Load')
  await expectPage(card(opened, 'Tasks').getByRole('button', { name: 'Abort: Transcode' })).toHaveCSS(
    'opacity',
    '1',
  )
  const tooSmall = await main(opened)
    .locator('a[href], button')
    .evaluateAll((controls) =>
      controls
        // A link in a sentence has the height of its line.
        .filter((control) => control.checkVisibility() && getComputedStyle(control).display !== 'inline')
        .filter((control) => {
          const { width, height } = control.getBoundingClientRect()
          return width < 44 || height < 44
        })
        .map((control) => control.getAttribute('aria-label') ?? control.textContent),
    )
  expect(tooSmall).toEqual([])
})

test('a user who may not add the first edge sees the required role and who grants it, and requests it', async () => {
  const [olga, vera] = [await given.person({ firstname: 'Olga', lastname: 'Ohm' }), await given.person()]
  const { projectId } = await given.project(olga, {
    ...withEdges,
    grants: [{ person: vera, productRole: 'edges/viewer' }],
  })
  const opened = await openConsole(server, { as: vera, path: `/?project=${projectId}` })
  const fleet = card(opened, 'Fleet')
  await expectPage(fleet).toContainText(
    'Adding an edge needs the role Operator. Ask Olga Ohm, who owns the project.',
  )
  await opened.expectAccessible()
  await fleet.getByRole('button', { name: 'Ask for access' }).click()
  await opened.page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click()
  await expectPage(fleet).toContainText('You asked for the role Operator')
  await expectPage(fleet.getByRole('button')).toHaveCount(0)
  await opened.page.goto(`/app/edges?project=${projectId}`)
  await expectPage(main(opened).getByRole('heading', { name: 'No edges yet' })).toBeVisible()
  await expectPage(main(opened)).toContainText('You asked for the role Operator')
  expect(opened.complaints).toEqual([])
})

test('a project without apps names its owner, who grants roles', async () => {
  const [olga, vera] = [await given.person({ firstname: 'Olga', lastname: 'Ohm' }), await given.person()]
  const { projectId } = await given.project(olga, {
    label: 'Messe',
    products: [],
    grants: [{ person: vera, productRole: 'project/viewer' }],
  })
  const opened = await openConsole(server, { as: vera, path: `/?project=${projectId}` })
  const apps = card(opened, 'Apps')
  await expectPage(apps).toContainText('Ask Olga Ohm, who owns the project.')
  await expectPage(apps.getByRole('button', { name: 'Ask for access' })).toHaveCount(0)
})
