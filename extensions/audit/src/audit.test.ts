import { text as textOf } from 'node:stream/consumers'
import { auditEndpoints, loginEndpoints, projectEndpoints } from '@pult/contract'
import {
  expectPage,
  type GivenPerson,
  muteEvents,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given, db } = server

// Some entries here are older than the default retention, after which the server archives them.
await sql`update installation set retention = '{"audit": 36500}'`.execute(db)

const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const dialog = ({ page }: OpenedConsole) => page.getByRole('dialog')
const rows = ({ page }: OpenedConsole) =>
  page
    .getByRole('grid', { name: 'Events' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
const search = ({ page }: OpenedConsole) => page.getByRole('searchbox', { name: 'Search', exact: true })
const button = ({ page }: OpenedConsole, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const field = (opened: OpenedConsole, name: string) =>
  opened.page.getByRole('group', { name: 'Filters' }).getByLabel(name, { exact: true })
const open = async (path = '/app/audit', as?: GivenPerson) =>
  openConsole(server, { as: as ?? (await given.person({ firstname: 'Ruth', isRoot: true })), path })

interface GivenRow {
  event: string
  at: string
  actor?: GivenPerson
  target?: string
  project?: string
  result?: 'success' | 'failure'
  detail?: object
}
const write = (events: readonly GivenRow[]) =>
  db
    .insertInto('audit')
    .values(
      events.map(({ event, at, actor, target, project, result = 'success', detail = {} }) => ({
        id: crypto.randomUUID(),
        event,
        result,
        at: new Date(at),
        actor_id: actor?.personId ?? null,
        target: target ?? null,
        project_id: project ?? null,
        address: '192.0.2.7',
        detail: JSON.stringify(detail),
      })),
    )
    .execute()

test('APP-10 ROUTE-10 RULE-78 Audit is on the root page, lists events and filters them by actor, action, target, result, project and time', async () => {
  const olga = await given.person({ firstname: 'Olga', lastname: 'Filter' })
  const { projectId } = await given.project(olga, { label: 'Gefilterte Messe' })
  await write([
    { event: 'grant.added', at: '2020-05-01T10:00:00Z', actor: olga, target: 'zz-one', project: projectId },
    { event: 'login.password', at: '2020-05-02T10:00:00Z', target: 'zz-two@example.org', result: 'failure' },
    { event: 'note.created', at: '2020-05-03T10:00:00Z', actor: olga, target: 'zz-three' },
  ])
  const opened = await open('/root')
  await opened.page.getByRole('main').getByRole('link', { name: 'Audit' }).click()
  await expectPage(opened.page).toHaveURL('/app/audit')
  const clear = button(opened, 'Clear filters').first()
  await button(opened, 'Filters').click()
  const shows = async (...names: string[]) => {
    await expectPage(rows(opened).getByRole('rowheader')).toHaveText(names)
  }
  await search(opened).fill('zz-')
  await shows('Note created', 'Sign-in with password', 'Access given')
  await field(opened, 'Who').fill('olga fil')
  await shows('Note created', 'Access given')
  await field(opened, 'Project').fill('gefilterte')
  await shows('Access given')
  await clear.click()
  await expectPage(search(opened)).toHaveValue('')
  for (const name of ['Who', 'Project']) await expectPage(field(opened, name)).toHaveValue('')
  await field(opened, 'Target').fill('zz-two')
  await shows('Sign-in with password')
  await expectPage(rows(opened)).toContainText('Failure')
  await button(opened, 'Success').click()
  await expectPage(opened.page.getByText('No event found')).toBeVisible()
  await clear.click()
  await search(opened).fill('zz-')
  await expectPage(opened.page).toHaveURL(/search=zz-/)
  await field(opened, 'What').selectOption('Note created')
  await shows('Note created')
  await field(opened, 'What').selectOption('Everything')
  // The browser is in Berlin, two hours ahead of UTC.
  await field(opened, 'From').fill('2020-05-02T12:00')
  await field(opened, 'Until').fill('2020-05-03T12:00')
  await shows('Sign-in with password')
  await opened.page.reload()
  await shows('Sign-in with password')
  await expectPage(search(opened)).toHaveValue('zz-')
  expect(opened.complaints).toEqual([])
})

test('ROLE-02 ROUTE-11 users other than root are sent home with a notice, and the server rejects the log and its export', async () => {
  const ada = await given.person()
  const opened = await open('/app/audit', ada)
  await expectPage(opened.page.getByRole('main').getByText('You cannot open this app')).toBeVisible()
  await expectPage(opened.page).toHaveURL('/')
  expect(await ada.call(auditEndpoints.list)).toFailWith('FORBIDDEN')
  expect(await ada.call(auditEndpoints.export, { query: { format: 'csv' } })).toFailWith('FORBIDDEN')
})

test('RULE-57 a link with a value that is not understood shows no events until the value is removed', async () => {
  await write([{ event: 'note.created', at: '2021-05-03T10:00:00Z', target: 'odd-link' }])
  const opened = await open('/app/audit?target=odd-link&from=122026-11-26T10:00&sort=name')
  const note = opened.page.getByText('from=122026-11-26T10:00', { exact: false })
  await expectPage(note).toContainText('sort=name')
  await expectPage(rows(opened)).toHaveCount(0)
  await expectPage(button(opened, 'Export')).toHaveCount(0)
  await button(opened, 'Remove').click()
  await expectPage(rows(opened).getByRole('rowheader')).toHaveText(['Note created'])
  await expectPage(opened.page).toHaveURL('/app/audit?target=odd-link')
  expect(opened.complaints).toEqual([])
})

test('grafana/grafana#118774 the log is paged, newest events first, and its rows have their numbers in the whole log', async () => {
  await write(
    Array.from({ length: 120 }, (_, index) => ({
      event: 'note.created',
      at: new Date(Date.UTC(2019, 0, 1, 0, index)).toISOString(),
      target: `page-${String(index).padStart(3, '0')}`,
    })),
  )
  const opened = await open('/app/audit?target=page-')
  const older = opened.page.getByRole('button', { name: 'Older events' })
  const log = opened.page.getByRole('grid', { name: 'Events' })
  await expectPage(log).toHaveAttribute('aria-rowcount', '121')
  await expectPage(rows(opened).first()).toContainText('page-119')
  await expectPage(rows(opened).first()).toHaveAttribute('aria-rowindex', '2')
  await expectPage(opened.page.getByText('120 events · Page 1')).toBeVisible()
  await older.click()
  await expectPage(rows(opened).first()).toContainText('page-069')
  await expectPage(rows(opened).first()).toHaveAttribute('aria-rowindex', '52')
  await older.click()
  await expectPage(rows(opened).first()).toContainText('page-019')
  await expectPage(rows(opened).first()).toHaveAttribute('aria-rowindex', '102')
  await expectPage(log).toHaveAttribute('aria-rowcount', '121')
  await expectPage(older).toBeDisabled()
  await opened.page.getByRole('button', { name: 'Newer events' }).click()
  await expectPage(rows(opened).first()).toContainText('page-069')
  // The oldest first, from the first page on.
  await log.getByRole('columnheader', { name: 'When' }).getByRole('button').click()
  await expectPage(rows(opened).first()).toContainText('page-000')
  await opened.page.reload()
  await expectPage(rows(opened).first()).toContainText('page-000')
  await opened.page.getByRole('button', { name: 'Newer events' }).click()
  await expectPage(rows(opened).first()).toContainText('page-050')
})

test('RULE-78 details of an event appear as text and as JSON, by the keyboard alone', async () => {
  const olga = await given.person({ firstname: 'Olga', lastname: 'Detail' })
  const { projectId } = await given.project(olga, { label: 'Alt' })
  await olga.call(projectEndpoints.update, { params: { projectId }, body: { label: 'Neu und besser' } })
  const opened = await open()
  const { keyboard } = opened.page
  await button(opened, 'Filters').press('Enter')
  await field(opened, 'Who').focus()
  await keyboard.type('olga detail')
  await expectPage(rows(opened)).toHaveCount(1)
  const details = rows(opened).first().getByRole('button')
  for (let stops = 0; stops < 30 && !(await details.evaluate((it) => it === document.activeElement)); stops++)
    await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expectPage(dialog(opened).getByRole('heading', { name: 'Project changed' })).toBeVisible()
  await expectPage(dialog(opened)).toContainText('Neu und besser (before: Alt)')
  await expectPage(dialog(opened).getByRole('definition').filter({ hasText: 'Olga Detail' })).toBeVisible()
  const json = JSON.parse((await dialog(opened).locator('pre').textContent()) ?? '') as object
  expect(json).toMatchObject({
    event: 'project.changed',
    actor: { _id: olga.personId },
    project: projectId,
    detail: { label: 'Neu und besser', from: { label: 'Alt' } },
  })
  await keyboard.press('Escape')
  await expectPage(dialog(opened)).toHaveCount(0)
  await expectPage(details).toBeFocused()
  expect(opened.complaints).toEqual([])
})

test('lists and objects in the details of an event are words', async () => {
  const command = { key: 'play', name: 'run', values: { list: 'night' } }
  const detail = {
    command,
    tags: ['Crane', 'North'],
    left: [],
    group: null,
    edges: 2,
    from: { tags: ['Gate'] },
  }
  await write([{ event: 'edge-job.started', at: '2016-01-05T10:00:00Z', target: 'in-words', detail }])
  const opened = await open('/app/audit?target=in-words')
  await rows(opened).first().getByRole('button').click()
  const fact = (name: string) => dialog(opened).locator(`dt:text-is("${name}") + dd`)
  await expectPage(fact('command')).toHaveText('key: play, name: run, values (list: night)')
  await expectPage(fact('tags')).toHaveText('Crane, North (before: Gate)')
  await expectPage(fact('left')).toHaveText('–')
  await expectPage(fact('group')).toHaveText('–')
  await expectPage(fact('edges')).toHaveText('2')
})

test('an action of a deck at an edge names the deck beside the account, because any person may have pressed its key', async () => {
  const desk = await given.person({ firstname: 'Desk', lastname: 'Three' })
  const detail = { deck: 'AL01', edge: 'Hall 3', edges: 1 }
  await write([{ event: 'edge-job.started', at: '2026-01-05T10:00:00Z', actor: desk, detail }])
  const opened = await open()
  await button(opened, 'Filters').click()
  await field(opened, 'Who').fill('desk three')
  await expectPage(rows(opened)).toHaveCount(1)
  await expectPage(rows(opened)).toContainText('Deck AL01 at Hall 3 in the name of Desk Three')
  expect(opened.complaints).toEqual([])
})

test('RULE-78 the log exports the filtered events as CSV and as JSON lines, and reports errors', async () => {
  await write([
    { event: 'note.created', at: '2018-05-01T10:00:00Z', target: 'export-one' },
    { event: 'note.removed', at: '2018-05-02T10:00:00Z', target: 'export-two', detail: { label: '=1+1' } },
  ])
  const opened = await open('/app/audit?target=export-')
  await expectPage(rows(opened)).toHaveCount(2)
  const exportAs = async (name: string) => {
    await button(opened, 'Export').click()
    await opened.page.getByRole('menuitem', { name }).click()
  }
  const save = async (name: string) => {
    const [file] = await Promise.all([opened.page.waitForEvent('download'), exportAs(name)])
    return { name: file.suggestedFilename(), text: await textOf(await file.createReadStream()) }
  }
  const csv = await save('Export as CSV')
  expect(csv.name).toMatch(/^pult-audit-\d{4}-\d\d-\d\d\.csv$/)
  expect(csv.text.trim().split('\r\n')).toHaveLength(3)
  expect(csv.text).toContain('export-two')
  const jsonl = await save('Export as JSON lines')
  expect(jsonl.name).toMatch(/\.jsonl$/)
  const events = jsonl.text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: string }).event)
  expect(events).toEqual(['note.removed', 'note.created'])

  await opened.page.route(/\/audit\/export/, (route) =>
    route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server is busy' } }),
  )
  await exportAs('Export as CSV')
  await expectPage(notices(opened).getByText('The server is busy')).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('new events are announced and appear on request, so that the list does not move', async () => {
  const ada = await given.person({ firstname: 'Neu', lastname: 'Ankommend' })
  await ada.login()
  const opened = await open('/app/audit?who=neu+ankommend')
  await expectPage(rows(opened)).toHaveCount(1)
  for (const at of [1, 2]) {
    const { body } = await server.call(loginEndpoints.login, {
      body: { type: 'credentials', data: { username: ada.email, password: ada.password } },
    })
    server.watchSecret(body.token ?? String(at))
  }
  const hint = opened.page.getByRole('button', { name: 'Show 2 new events' })
  await expectPage(hint).toBeVisible()
  await expectPage(rows(opened)).toHaveCount(1)
  await hint.click()
  await expectPage(rows(opened)).toHaveCount(3)
  await expectPage(opened.page.getByRole('button', { name: /new event/ })).toHaveCount(0)
})

test('a failed log shows the reason, and loads on retry', async () => {
  await write([{ event: 'project.changed', at: '2017-11-23T10:35:34Z', target: 'failed-log' }])
  const root = await given.person({ isRoot: true })
  const opened = await openConsole(server, { as: root, path: null })
  await muteEvents(opened.page)
  let isDown = true
  await opened.page.route(/\/api\/apps\/root\/audit(?:\?|$)/, (route) =>
    isDown
      ? route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } })
      : route.continue(),
  )
  await opened.page.goto('/app/audit')
  await expectPage(opened.page.getByRole('main').getByRole('alert')).toContainText('could not be loaded')
  isDown = false
  await opened.page.getByRole('button', { name: 'Try again' }).click()
  await expectPage(rows(opened).first()).toBeVisible()
})

test('no text of the log is cut off on a narrow, a normal and a wide screen', async () => {
  await write([
    {
      event: 'project.changed',
      at: '2017-11-23T10:35:34Z',
      target: `wide-${'long-'.repeat(30)}`,
    },
  ])
  const root = await given.person({ isRoot: true })
  const opened = await openConsole(server, { as: root, path: null })
  // This language has the widest times.
  await opened.page.addInitScript(() => localStorage.setItem('pult.locale', 'en'))
  await opened.page.goto('/app/audit?target=wide-')
  const beyond = () =>
    rows(opened)
      .first()
      .getByRole('gridcell')
      .last()
      .evaluate((cell) => {
        const card = cell.closest('section')?.getBoundingClientRect()
        return Math.max(0, Math.round(cell.getBoundingClientRect().right - (card?.right ?? 0)))
      })
  for (const width of [900, 1024, 1280]) {
    await opened.page.setViewportSize({ width, height: 844 })
    await expectPage(rows(opened).first()).toBeVisible()
    await expect.poll(beyond, { message: `${width} px` }).toBe(0)
  }
})

test('guardian/frontend#6850 with a larger font size of the browser each time fits into its row', async () => {
  await write([
    { event: 'note.created', at: '2016-11-23T10:35:34Z', target: 'large-text', result: 'failure' },
  ])
  const opened = await open('/app/audit?target=large-text')
  const { page } = opened
  await expectPage(rows(opened)).toHaveCount(1)
  await page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
  await expectPage(page).toHaveURL(({ pathname }) => pathname !== '/app/audit')
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '20px'))
  await page.goBack()
  await expectPage(rows(opened)).toHaveCount(1)
  const [row = 0, ...times] = await rows(opened)
    .first()
    .evaluate((element) =>
      [element, ...element.querySelectorAll('time')].map((part) => part.getBoundingClientRect().height),
    )
  expect(times).toHaveLength(1)
  expect(Math.max(...times)).toBeLessThanOrEqual(row)
})

test('a search longer than the server’s limit is truncated, and the log is accessible while it loads', async () => {
  const opened = await open(`/app/audit?search=${'x'.repeat(300)}&target=nothing`)
  await expectPage(opened.page.getByText('No event found')).toBeVisible()
  await opened.page.route(/\/apps\/root\/audit/, () => {})
  await opened.page.reload()
  await expectPage(opened.page.getByRole('status', { name: 'Events' })).toHaveAttribute('aria-busy', 'true')
  await opened.expectAccessible()
})

test('accessible in each theme and width: the log and the details of an event', async () => {
  await write([
    {
      event: 'project.changed',
      at: '2017-01-01T00:00:00Z',
      target: `axe-${'long-'.repeat(30)}`,
      result: 'failure',
      detail: { label: 'x'.repeat(120), from: { label: 'y' } },
    },
  ])
  const opened = await open('/app/audit?target=axe-')
  await expectPage(rows(opened).first()).toBeVisible()
  await opened.expectAccessibleInLooks()
  await button(opened, 'Filters 1 set').click()
  await expectPage(field(opened, 'Target')).toBeHidden()
  await button(opened, 'Filters 1 set').click()
  await rows(opened).first().getByRole('button').click()
  await expectPage(dialog(opened).locator('pre')).toBeVisible()
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})

test('RULE-57 a search for words that reaches its bound explains how to search older events', async () => {
  await sql`
    insert into audit (id, at, event, result, detail)
    select gen_random_uuid(), '2018-01-01', 'note.created', 'success', '{}' from generate_series(1, 20000)`.execute(
    db,
  )
  const opened = await open('/app/audit?search=unheard')
  const bound = opened.page.getByText('The search covers the newest 20,000 events')
  await expectPage(opened.page.getByText('No event found')).toBeVisible()
  await expectPage(bound).toBeVisible()
  await button(opened, 'Filters').click()
  await field(opened, 'Until').fill('2017-01-01T12:00')
  await expectPage(bound).toBeHidden()
  expect(opened.complaints).toEqual([])
})
