import { projectTaskEndpoints, type Task, taskEndpoints } from '@pult/contract'
import {
  accessibilityFindings,
  expectPage,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { renderExtension, renderService } from './testing/render-service.ts'

const server = await testServer({ withConsole: true, extensionsFolder: await renderExtension() })
const { given } = server

let owner: GivenPerson
let member: GivenPerson
let projectId: string
let service: Awaited<ReturnType<typeof renderService>>
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga', lastname: 'Ohm' })
  member = await given.person({ firstname: 'Max', lastname: 'Meter' })
  const grants = [{ person: member, productRole: 'render/user' }]
  projectId = (await given.project(owner, { label: 'Messe 2026', products: ['render'], grants })).projectId
  service = await renderService(server, owner, projectId)
})

async function openAs(as: GivenPerson, options: Parameters<typeof openConsole>[1] = {}) {
  const opened = await openConsole(server, { as, path: null, ...options })
  await opened.page.addInitScript((id) => localStorage.setItem('pult.activeProjectId', id), projectId)
  await opened.page.goto(options.path ?? '/')
  return opened
}

const button = ({ page }: OpenedConsole) => page.getByRole('button', { name: /^Tasks/ })
const panel = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Tasks' })
const row = (opened: OpenedConsole, title: string) =>
  panel(opened).getByRole('listitem').filter({ hasText: title })
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog', { name: /\?$/ })

async function openPanel(as: GivenPerson, options: Parameters<typeof openConsole>[1] = {}) {
  const opened = await openAs(as, options)
  await button(opened).click()
  await expectPage(panel(opened)).toBeVisible()
  return opened
}

async function stored(taskId: string): Promise<Task> {
  return (await owner.call(taskEndpoints.read, { params: { projectId, taskId } })).body
}

describe('the button and the panel', () => {
  test('SHELL-01 TASK-02 TASK-03 TASK-12 TASK-13 count and progress follow the topic in place, and survive a reload and a lost connection', async () => {
    const show = await service.begin({ title: 'Opening show', by: owner })
    const opened = await openAs(owner)
    const { page, context } = opened
    await expectPage(button(opened)).toHaveAccessibleName('Tasks, 1 running')
    await service.begin({ title: 'Second show', by: member })
    await expectPage(button(opened)).toHaveAccessibleName('Tasks, 2 running')
    await button(opened).click()
    await expectPage(panel(opened).getByRole('listitem')).toHaveCount(2)
    await expectPage(row(opened, 'Opening show')).toContainText(/Running.*Production report · Olga Ohm/)

    const bar = row(opened, 'Opening show').getByRole('progressbar')
    await show.report(1, 8, 'Scene 1')
    await expectPage(bar).toHaveAttribute('aria-valuetext', '1 / 8')
    let readings = 0
    page.on('request', (request) => {
      if (request.url().includes('/ltt/tasks')) readings += 1
    })
    for (const done of [2, 3]) await show.report(done, 8, `Scene ${done}`)
    await expectPage(bar).toHaveAttribute('aria-valuetext', '3 / 8')
    await expectPage(row(opened, 'Opening show')).toContainText('Scene 3')
    expect(readings).toBe(0)

    await page.goto('/projects')
    await button(opened).click()
    await expectPage(bar).toHaveAttribute('aria-valuetext', '3 / 8')

    await context.setOffline(true)
    await show.report(7, 8)
    await context.setOffline(false)
    await expectPage(bar).toHaveAttribute('aria-valuetext', '7 / 8')
    await show.fulfil({ info: 'All scenes' })
    await expectPage(row(opened, 'Opening show')).toContainText(/Finished.*All scenes/)
    await expectPage(button(opened)).toHaveAccessibleName('Tasks, 1 running')
    expect(opened.complaints).toEqual([])
  })

  test('DEC-48 the panel keeps its rows and shows their age when a refetch fails', async () => {
    await service.begin({ title: 'Opening show', by: owner })
    const opened = await openPanel(owner)
    await expectPage(row(opened, 'Opening show')).toBeVisible()
    await opened.page.route(/\/ltt\/tasks(?:\?|$)/, (route) =>
      route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }),
    )
    // The reconnection refetches the list, which is older than this task.
    await opened.context.setOffline(true)
    await expectPage(opened.page.getByText('You are offline')).toBeVisible()
    await service.begin({ title: 'Second show', by: owner })
    await opened.context.setOffline(false)
    await expectPage(panel(opened).getByText(/^As of .*could not be read again/)).toBeVisible()
    await expectPage(row(opened, 'Opening show')).toBeVisible()
    await opened.expectAccessible()
  })

  test('TASK-08 TASK-09 TASK-10 the row shows outcomes, times and durations, and the filters apply', async () => {
    await (await service.begin({ title: 'A', by: owner })).reject('Disk full')
    await (await service.begin({ title: 'B', by: owner })).reject()
    await (await service.begin({ title: 'C', kind: 'download-generation', by: member })).reject()
    const late = await service.begin({ title: 'D' })
    await sql`update task set state = 'timed-out', started_at = '2026-01-05T08:03:07Z',
      fulfilled_at = '2026-01-05T08:23:11Z' where id = ${late._id}::uuid`.execute(server.db)
    await service.begin({ title: 'E', by: member })
    const opened = await openPanel(owner)
    const rows = panel(opened).getByRole('listitem')
    await expectPage(rows).toHaveText([
      /^E.*Running.*Max Meter/,
      /^D.*Timed out.*by a service with the token Render service.*05\.01\.26 - 09:03 · 1\.204 s/,
      /^C.*Failed.*File generation failed/,
      /^B.*Failed.*Job failed/,
      /^A.*Failed.*Disk full.*\d\d\.\d\d\.\d\d - \d\d:\d\d · \d s/,
    ])
    const choose = (name: string) => panel(opened).getByRole('radio', { name }).check()
    await choose('Mine')
    await expectPage(rows).toHaveText([/^B/, /^A/])
    await choose('Running')
    await expectPage(rows).toHaveText([/^E/])
    await choose('Ended')
    await expectPage(rows).toHaveText([/^D/, /^C/, /^B/, /^A/])
  })

  test('outside the specification’s catalogue a row has one relative time, with the exact time on hover', async () => {
    const task = await service.begin({ title: 'Opening show', by: owner })
    await sql`update task set state = 'timed-out', started_at = '2026-01-05T08:03:07Z',
      fulfilled_at = '2026-01-05T08:23:11Z' where id = ${task._id}::uuid`.execute(server.db)
    const opened = await openAs(owner)
    await opened.page.evaluate(() => localStorage.setItem('pult.locale', 'en'))
    await opened.page.reload()
    await button(opened).click()
    const times = row(opened, 'Opening show').locator('time')
    await expectPage(times).toHaveText(['5 Jan 2026', /^20.min 4.s$/])
    await expectPage(times.first()).toHaveAttribute('title', /09:03:07/)
  })

  test('TASK-03 a kind has the label of the server or of the manifest, in the language of the user', async () => {
    await service.begin({ title: 'Saal 4', by: owner })
    await owner.call(projectTaskEndpoints.export, { params: { projectId }, body: {} })
    const opened = await openAs(owner)
    const { page } = opened
    await page.evaluate(() => localStorage.setItem('pult.locale', 'de-DE'))
    await page.reload()
    await page.getByRole('button', { name: /^Aufgaben/ }).click()
    const german = page.getByRole('dialog', { name: 'Aufgaben' })
    const kindOf = async (title: string) => {
      await german.getByRole('button', { name: `Details und Protokoll: ${title}` }).click()
      const kind = german.locator('dt', { hasText: /^Art$/ }).locator('xpath=../dd')
      await expectPage(kind).toBeVisible()
      const text = await kind.textContent()
      await german.getByRole('button', { name: 'Zurück zur Liste' }).click()
      return text
    }
    await expectPage(german.getByText('Produktionsbericht · Olga Ohm')).toBeVisible()
    expect(await kindOf('Saal 4')).toBe('Produktionsbericht')
    expect(await kindOf('Export: Messe 2026')).toBe('Export')
  })

  test('TASK-03 TASK-11 DEC-49 the log loads on request and is updated while the task runs, and the link of a finished download opens with a plain GET', async () => {
    const task = await service.begin({ title: 'Opening show', by: owner })
    await task.log('Reading the cues')
    const plan = await service.begin({ title: 'Plan', kind: 'download-generation', by: owner })
    const opened = await openPanel(owner)
    await panel(opened).getByRole('button', { name: 'Details and log: Opening show' }).click()
    const lines = panel(opened).getByRole('list', { name: 'Log of Opening show' }).getByRole('listitem')
    await expectPage(lines).toHaveText([/^\d\d:\d\d:\d\dReading the cues$/])
    await task.log('Writing the cues')
    await expectPage(lines).toHaveText([/Reading/, /Writing/])
    await panel(opened).getByRole('button', { name: 'Back to the list' }).click()
    await expectPage(row(opened, 'Opening show')).toBeVisible()

    await plan.fulfil({ file: await service.upload('plan.txt', 'Hall 4'), fileName: 'Plan of hall 4.txt' })
    const link = row(opened, 'Plan').getByRole('link', { name: 'Download Plan of hall 4.txt' })
    const href = (await link.getAttribute('href')) ?? ''
    expect(await (await fetch(new URL(href, server.url))).text()).toBe('Hall 4')
    const downloading = opened.page.waitForEvent('download')
    await link.click()
    const download = await downloading
    expect(await (await fetch(download.url())).text()).toBe('Hall 4')
    expect(opened.complaints).toEqual([])
  })
})

describe('the permission to end a task', () => {
  const endings = (opened: OpenedConsole) => panel(opened).getByRole('button', { name: /^(Abort|Archive): / })

  test('DEC-26 TASK-03 owner and root end all tasks, a member their own, and a user without access sees none', async () => {
    await service.begin({ title: 'Of Olga', by: owner })
    await service.begin({ title: 'Of Max', by: member })
    await (await service.begin({ title: 'Of no user' })).fulfil()
    const ofAll = ['Abort: Of Max', 'Abort: Of Olga', 'Archive: Of no user']
    const expectEndings = async (as: GivenPerson, names: readonly string[]) => {
      const opened = await openPanel(as)
      await expectPage(panel(opened).getByRole('listitem')).toHaveCount(3)
      await expectPage
        .poll(() =>
          endings(opened).evaluateAll((found) => found.map((one) => one.getAttribute('aria-label'))),
        )
        .toEqual(names)
    }
    await expectEndings(owner, ofAll)
    await expectEndings(await given.person({ isRoot: true }), ofAll)
    await expectEndings(member, ['Abort: Of Max'])

    const opened = await openPanel(await given.person())
    await expectPage(panel(opened)).toContainText('No project selected')
  })

  test('TASK-04 TASK-05 by keyboard: abort asks first, then the same button archives', async () => {
    const task = await service.begin({ title: 'Opening show', by: member })
    const opened = await openAs(member)
    const { keyboard } = opened.page
    await expectPage(button(opened)).toHaveAccessibleName('Tasks, 1 running')
    await button(opened).focus()
    await keyboard.press('Enter')
    await expectPage(panel(opened)).toBeVisible()
    const abort = panel(opened).getByRole('button', { name: 'Abort: Opening show' })
    for (
      let tabs = 0;
      tabs < 12 && !(await abort.evaluate((one) => one === document.activeElement));
      tabs += 1
    )
      await keyboard.press('Tab')
    await keyboard.press('Enter')
    await expectPage(question(opened).getByRole('button', { name: 'Keep running' })).toBeFocused()
    await keyboard.press('Escape')
    await expectPage(question(opened)).toHaveCount(0)
    await expectPage(abort).toBeFocused()
    expect((await stored(task._id)).fulfilledAt).toBeNull()

    await keyboard.press('Enter')
    await question(opened).getByRole('button', { name: 'Abort' }).press('Enter')
    await expectPage(row(opened, 'Opening show')).toContainText('Aborted')
    expect((await stored(task._id)).isAborted).toBe(true)
    const archive = panel(opened).getByRole('button', { name: 'Archive: Opening show' })
    await expectPage(archive).toBeFocused()
    await expectPage(archive).toHaveAttribute('data-variant', 'ghost')
    await keyboard.press('Enter')
    await expectPage(panel(opened)).toContainText('No tasks')
    await expectPage(panel(opened).getByRole('region')).toBeFocused()
    await keyboard.press('Escape')
    await expectPage(panel(opened)).toHaveCount(0)
    await expectPage(button(opened)).toBeFocused()
  })

  test('DEC-20 TASK-05 all ended tasks leave the list together, except other users’ tasks for a member, and Undo restores them', async () => {
    await (await service.begin({ title: 'Of Olga', by: owner })).fulfil()
    await (await service.begin({ title: 'Of Max', by: member })).fulfil()
    await service.begin({ title: 'Running', by: member })
    const opened = await openPanel(member)
    await expectPage(panel(opened).getByRole('listitem')).toHaveCount(3)
    await panel(opened).getByRole('button', { name: 'Archive all ended' }).click()
    await expectPage(panel(opened).getByRole('listitem')).toHaveText([/^Running/, /^Of Olga/])
    await opened.page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(panel(opened).getByRole('listitem')).toHaveText([/^Running/, /^Of Max/, /^Of Olga/])
  })
})

test('TASK-03 a thousand tasks: only rows in view are in the document, End reaches the last row, older tasks load on demand', async () => {
  await service.begin({ title: 'Oldest', by: owner })
  await sql`
    insert into task (id, project_id, type, kind, title, state, lease_for, started_at, deadline_at, fulfilled_at)
    select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n), 3, '0')
        || '8000000000000000')::uuid,
      ${projectId}::uuid, 'render/report', 'info', 'Task ' || n, 'finished', '1 minute', now(), now(), now()
    from generate_series(1, 1000) n`.execute(server.db)
  const opened = await openPanel(owner)
  await expectPage(button(opened)).toHaveAccessibleName('Tasks, 1 running')
  const rows = panel(opened).getByRole('listitem')
  // Running tasks come first, regardless of their age.
  await expectPage(rows.first()).toContainText('Oldest')
  await expectPage(rows.nth(1)).toContainText('Task 1000')
  // End and Home reach rows that are not rendered.
  await rows.first().getByRole('button').first().press('End')
  await expectPage(rows.last().getByRole('button').first()).toBeFocused()
  await expectPage(rows.last()).toHaveAttribute('aria-posinset', '201')
  await opened.page.keyboard.press('Home')
  await expectPage(rows.first().getByRole('button').first()).toBeFocused()
  await expectPage(rows.first()).toHaveAttribute('aria-posinset', '1')
  const scrollToEnd = () =>
    panel(opened)
      .getByRole('region')
      .evaluate((region) => region.scrollTo(0, region.scrollHeight))
  /** Each loaded page extends the list and moves its end. */
  const endsAt = (place: number) =>
    expectPage(async () => {
      await scrollToEnd()
      await expectPage(rows.last()).toHaveAttribute('aria-posinset', String(place), { timeout: 1000 })
    }).toPass()
  const older = panel(opened).getByRole('button', { name: 'Show older tasks' })
  for (const known of [200, 400, 600, 800]) {
    await endsAt(known + 1)
    expect(await rows.count()).toBeLessThan(30)
    await older.click()
  }
  await endsAt(1001)
  await older.click()
  await expectPage(older).toHaveCount(0)
})

test('metabase/metabase#13613 the printed panel has all its loaded tasks, and rows grow with the font of the browser', async () => {
  await sql`
    insert into task (id, project_id, type, kind, title, state, lease_for, started_at, deadline_at, fulfilled_at)
    select gen_random_uuid(), ${projectId}::uuid, 'render/report', 'info', 'Task ' || n, 'finished', '1 minute', now(),
      now(), now()
    from generate_series(1, 60) n`.execute(server.db)
  const opened = await openAs(owner)
  await opened.page.evaluate(() => {
    document.documentElement.style.fontSize = '24px'
  })
  await button(opened).click()
  const rows = panel(opened).getByRole('listitem')
  await expectPage(rows.first()).toContainText('Task')
  expect(await rows.count()).toBeLessThan(40)
  const content = rows.first().locator(':scope > div')
  expect(await content.evaluate((task) => task.scrollHeight <= task.clientHeight)).toBe(true)
  await opened.page.emulateMedia({ media: 'print' })
  await opened.page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expectPage(rows).toHaveCount(60)
  const list = panel(opened).getByRole('list')
  expect(await list.evaluate((element) => element.getBoundingClientRect().height)).toBe(60 * 174)
})

test('TASK-03 the panel and the details have no axe findings in each theme and width', async () => {
  const task = await service.begin({ title: 'Opening show', by: owner })
  await task.report(1, 8)
  await task.log('Reading the cues')
  await (await service.begin({ title: 'Failed show', by: owner })).reject('Disk full')
  const opened = await openAs(owner)
  await expectPage(button(opened)).toHaveAccessibleName('Tasks, 1 running')
  expect(await accessibilityFindings(opened.page, ['label-content-name-mismatch'])).toEqual([])
  await button(opened).click()
  await expectPage(row(opened, 'Opening show').getByRole('progressbar')).toBeVisible()
  await opened.expectAccessibleInLooks()
  await row(opened, 'Opening show')
    .getByRole('button', { name: /^Details/ })
    .click()
  await expectPage(panel(opened)).toContainText('Reading the cues')
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})
