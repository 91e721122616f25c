import { readFile } from 'node:fs/promises'
import { auditEndpoints, loginEndpoints, projectEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given, db } = server

const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const dialog = ({ page }: OpenedConsole) => page.getByRole('dialog')
const rows = ({ page }: OpenedConsole) =>
  page
    .getByRole('table', { name: 'Events' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
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

test('APP-10 ROUTE-10 RULE-78 Audit stands on the root page, shows what happened and filters it by who, what, target, result, project and time', async () => {
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
  const clear = opened.page.getByRole('button', { name: 'Clear filters' })
  const shows = async (...names: string[]) => {
    await expectPage(rows(opened).getByRole('rowheader')).toHaveText(names)
  }
  await field(opened, 'Search').fill('zz-')
  await shows('Note created', 'Sign-in with password', 'Access given')
  await field(opened, 'Who').fill('olga fil')
  await shows('Note created', 'Access given')
  await field(opened, 'Project').fill('gefilterte')
  await shows('Access given')
  await clear.click()
  for (const name of ['Search', 'Who', 'Project']) await expectPage(field(opened, name)).toHaveValue('')
  await field(opened, 'Target').fill('zz-two')
  await shows('Sign-in with password')
  await expectPage(rows(opened)).toContainText('Failure')
  await field(opened, 'Result').selectOption('Success')
  await expectPage(opened.page.getByText('No event found')).toBeVisible()
  await clear.click()
  await field(opened, 'Search').fill('zz-')
  await expectPage(opened.page).toHaveURL(/search=zz-/)
  await field(opened, 'What').selectOption('Note created')
  await shows('Note created')
  await field(opened, 'What').selectOption('Everything')
  // In the time of Berlin, two hours ahead.
  await field(opened, 'From').fill('2020-05-02T12:00')
  await field(opened, 'Until').fill('2020-05-03T12:00')
  await shows('Sign-in with password')
  await opened.page.reload()
  await shows('Sign-in with password')
  await expectPage(field(opened, 'Search')).toHaveValue('zz-')
  expect(opened.complaints).toEqual([])
})

test('ROLE-02 ROUTE-11 who is not root is sent home with a notice, and the server refuses the log and its export', async () => {
  const ada = await given.person()
  const opened = await open('/app/audit', ada)
  await expectPage(notices(opened).getByText('You cannot open this app')).toBeVisible()
  await expectPage(opened.page).toHaveURL('/')
  expect(await ada.call(auditEndpoints.list)).toFailWith('FORBIDDEN')
  expect(await ada.call(auditEndpoints.export, { query: { format: 'csv' } })).toFailWith('FORBIDDEN')
})

test('the log comes a page at a time, older ones after newer ones', async () => {
  await write(
    Array.from({ length: 120 }, (_, index) => ({
      event: 'note.created',
      at: new Date(Date.UTC(2019, 0, 1, 0, index)).toISOString(),
      target: `page-${String(index).padStart(3, '0')}`,
    })),
  )
  const opened = await open('/app/audit?target=page-')
  const older = opened.page.getByRole('button', { name: 'Older events' })
  await expectPage(rows(opened)).toHaveCount(50)
  await expectPage(rows(opened).first()).toContainText('page-119')
  await expectPage(opened.page.getByText('120 events · Page 1')).toBeVisible()
  await older.click()
  await expectPage(rows(opened).first()).toContainText('page-069')
  await older.click()
  await expectPage(rows(opened)).toHaveCount(20)
  await expectPage(older).toBeDisabled()
  await opened.page.getByRole('button', { name: 'Newer events' }).click()
  await expectPage(rows(opened).first()).toContainText('page-069')
})

test('RULE-78 details of an event in words and as JSON, by the keyboard alone', async () => {
  const olga = await given.person({ firstname: 'Olga', lastname: 'Detail' })
  const { projectId } = await given.project(olga, { label: 'Alt' })
  await olga.call(projectEndpoints.update, { params: { projectId }, body: { label: 'Neu und besser' } })
  const opened = await open()
  const { keyboard } = opened.page
  await field(opened, 'Who').focus()
  await keyboard.type('olga detail')
  await expectPage(rows(opened)).toHaveCount(2)
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

test('RULE-78 exports what the filters leave as CSV and as JSON lines, and says why it could not', async () => {
  await write([
    { event: 'note.created', at: '2018-05-01T10:00:00Z', target: 'export-one' },
    { event: 'note.removed', at: '2018-05-02T10:00:00Z', target: 'export-two', detail: { label: '=1+1' } },
  ])
  const opened = await open('/app/audit?target=export-')
  await expectPage(rows(opened)).toHaveCount(2)
  const save = async (name: string) => {
    const [file] = await Promise.all([
      opened.page.waitForEvent('download'),
      opened.page.getByRole('button', { name }).click(),
    ])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
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
  await opened.page.getByRole('button', { name: 'Export as CSV' }).click()
  await expectPage(notices(opened).getByText('The server is busy')).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('new events are announced and come when they are asked for; the list does not move by itself', async () => {
  const ada = await given.person({ firstname: 'Neu', lastname: 'Ankommend' })
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

test('a log that does not come says why, and comes when it is tried again', async () => {
  const root = await given.person({ isRoot: true })
  const opened = await openConsole(server, { as: root, path: null })
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

test.each([900, 1024, 1280])('nothing of the log is cut off, %i px', async (width) => {
  await write([
    {
      event: 'project.changed',
      at: '2017-11-23T10:35:34Z',
      target: `wide-${'long-'.repeat(30)}`,
    },
  ])
  const root = await given.person({ isRoot: true })
  const viewport = { width, height: 844 }
  const opened = await openConsole(server, { as: root, path: null, viewport })
  // Its times are the widest.
  await opened.page.addInitScript(() => localStorage.setItem('pult.locale', 'en'))
  await opened.page.goto('/app/audit?target=wide-')
  await expectPage(rows(opened).first()).toBeVisible()
  const beyond = await rows(opened)
    .first()
    .locator('td')
    .last()
    .evaluate((cell) => {
      const card = cell.closest('section')?.getBoundingClientRect()
      return Math.max(0, Math.round(cell.getBoundingClientRect().right - (card?.right ?? 0)))
    })
  expect(beyond).toBe(0)
})

test('of a search that is longer than the server accepts counts the beginning', async () => {
  const opened = await open(`/app/audit?search=${'x'.repeat(300)}&target=nothing`)
  await expectPage(opened.page.getByText('No event found')).toBeVisible()
})

test('accessible while the log is on its way', async () => {
  const opened = await open('/')
  await opened.page.route(/\/apps\/root\/audit/, () => {})
  await opened.page.goto('/app/audit')
  await expectPage(opened.page.getByRole('table', { name: 'Events' })).toHaveAttribute('aria-busy', 'true')
  await opened.expectAccessible()
})

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`accessible, ${theme}, ${width} px: the log and the details of an event`, async () => {
      await write([
        {
          event: 'project.changed',
          at: '2017-01-01T00:00:00Z',
          target: `axe-${'long-'.repeat(30)}`,
          result: 'failure',
          detail: { label: 'x'.repeat(120), from: { label: 'y' } },
        },
      ])
      const root = await given.person({ isRoot: true })
      const viewport = { width, height: 844 }
      const opened = await openConsole(server, { as: root, path: '/app/audit?target=axe-', theme, viewport })
      const check = async () => {
        await opened.expectAccessible()
        expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
      await expectPage(rows(opened).first()).toBeVisible()
      await check()
      await rows(opened).first().getByRole('button').click()
      await expectPage(dialog(opened).locator('pre')).toBeVisible()
      await check()
      expect(opened.complaints).toEqual([])
    })
  }
}
