import { settingsEndpoints, taskEndpoints, taskMessageOf } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { renderExtension, renderService } from './testing/render-service.ts'

/** The warning of an export whose files are incomplete. */
const warning = 'Incomplete: 1 file is missing, see the log'
const server = await testServer({
  withConsole: true,
  extensionsFolder: await renderExtension(),
  taskKinds: [
    {
      type: 'incomplete',
      kind: 'info',
      deadline: 60_000,
      canRestart: false,
      concurrency: 1,
      check: async () => {},
      async run({ log }) {
        log(taskMessageOf('export-file-missing', { path: 'media/1' }))
        return {
          info: taskMessageOf('files-exported', { count: 5 }),
          warning: taskMessageOf('export-incomplete', { missing: 1 }),
        }
      },
    },
  ],
})

let owner: GivenPerson
let other: GivenPerson
let projectId: string
let service: Awaited<ReturnType<typeof renderService>>
beforeEach(async () => {
  owner = await server.given.person()
  other = await server.given.person()
  const grants = [{ person: other, productRole: 'render/user' }]
  projectId = (await server.given.project(owner, { products: ['render'], grants })).projectId
  service = await renderService(server, owner, projectId)
})

const notices = ({ page }: OpenedConsole) =>
  page.getByRole('region', { name: /^(?:Notifications|Benachrichtigungen)/ })
const notice = (opened: OpenedConsole, text: string) =>
  notices(opened).getByRole('alertdialog').filter({ hasText: text })

/** Opens the console and waits until it has loaded the tasks, because earlier changes are not announced. */
async function openAtWork(
  options: Parameters<typeof openConsole>[1] = {},
  tasksButton = /^Tasks, \d+ running/,
) {
  const console = await openConsole(server, { as: owner, path: '/me', ...options })
  await expectPage(console.page.getByRole('button', { name: tasksButton })).toBeVisible()
  return console
}

/** Starts an export whose files are incomplete. */
const exportIncompletely = () =>
  server.app.events.transaction((trx, emit) =>
    server.app.tasks.start(trx, emit, {
      type: 'incomplete',
      projectId,
      title: 'Export',
      payload: {},
      createdBy: owner.personId,
    }),
  )

test('TASK-06 TASK-07 the console announces each outcome of the user’s own tasks, but no tasks of other users or from before the page opened', async () => {
  await (await service.begin({ title: 'Long over', by: owner })).fulfil()
  await service.begin({ title: 'Begun before', by: owner })
  const console = await openAtWork()
  await (await service.begin({ title: 'Of another user', by: other })).fulfil()
  const job = await service.begin({ title: 'Job', by: owner })
  await expectPage(notice(console, 'Gestartet ...')).toContainText('Job')
  await job.fulfil()
  await expectPage(notice(console, 'Fertig')).toContainText('Job')
  const file = await service.begin({ title: 'File', kind: 'download-generation', by: owner })
  await expectPage(notice(console, 'Download wird vorbereitet ...')).toContainText('File')
  await file.fulfil({ file: await service.upload('plan.txt', 'Hall 4'), fileName: 'plan.txt' })
  const downloading = console.page.waitForEvent('download')
  await notice(console, 'Download steht bereit').getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toBe('plan.txt')

  await (await service.begin({ title: 'Wrong', by: owner })).reject('Disk full')
  await expectPage(notice(console, 'Ein Fehler ist aufgetreten')).toContainText('Wrong: Disk full')
  const aborted = await service.begin({ title: 'Unwanted', by: owner })
  await owner.call(taskEndpoints.abort, { params: { projectId, taskId: aborted._id } })
  await expectPage(notice(console, 'Aborted')).toContainText('Unwanted')
  const late = await service.begin({ title: 'Late', by: owner })
  await sql`update task set deadline_at = now() where id = ${late._id}::uuid`.execute(server.db)
  await expectPage(notice(console, 'Timeout')).toContainText('Late')
  await notice(console, 'Timeout').getByRole('button', { name: 'Show' }).click()
  await expectPage(console.page.getByRole('dialog', { name: 'Tasks' })).toContainText('Timed out')
  for (const silent of ['Long over', 'Of another user', 'Begun before'])
    await expectPage(notice(console, silent)).toHaveCount(0)
})

test('TASK-06 DEC-50 with the scope all the console announces tasks of other users, and with the scope off no tasks', async () => {
  await owner.call(settingsEndpoints.update, { body: { taskNoticeScope: 'all' } })
  await service.begin({ title: 'Begun before', by: other })
  const console = await openAtWork()
  const job = await service.begin({ title: 'Of a colleague', by: other })
  await expectPage(notice(console, 'Gestartet ...')).toContainText('Of a colleague')
  await owner.call(settingsEndpoints.update, { body: { taskNoticeScope: 'off' } })
  await console.page.goto('/settings/notifications')
  await expectPage(console.page.getByRole('radio', { name: 'Off' })).toBeChecked()
  await job.fulfil()
  await service.begin({ title: 'My own', by: owner })
  await service.begin({ title: 'My other', by: owner })
  await expectPage(console.page.getByRole('button', { name: 'Tasks, 3 running' })).toBeVisible()
  await expectPage(notices(console).getByRole('alertdialog')).toHaveCount(0)
})

test('TASK-06 many changes are one message, in one window of a browser, and a task that started and ended is announced as ended', async () => {
  await service.begin({ title: 'Begun before', by: owner })
  const first = await openAtWork()
  const second = await openAtWork({ sameBrowserAs: first })
  await first.context.setOffline(true)
  for (let count = 1; count <= 50; count += 1) {
    const job = await service.begin({ title: `Job ${count}`, by: owner })
    if (count <= 20) await job.fulfil()
    else if (count <= 35) await job.reject()
  }
  await first.context.setOffline(false)
  // Collected, because notices disappear automatically.
  const announced = new Set<string>()
  const listen = async () => {
    for (const console of [first, second])
      for (const text of await notices(console).getByRole('alertdialog').allInnerTexts()) announced.add(text)
    return announced.size
  }
  await expect.poll(listen).toBeGreaterThan(0)
  for (const { page } of [first, second])
    await expectPage(page.getByRole('button', { name: 'Tasks, 16 running' })).toBeVisible()
  await listen()
  const [summary, ...more] = announced
  expect(summary).toContain('50 tasks')
  for (const part of ['20 × Fertig', '15 × Ein Fehler ist aufgetreten', '15 × Gestartet ...'])
    expect(summary).toContain(part)
  expect(more).toEqual([])
})

test('DEC-27 a task that finishes with an incomplete result is a warning in its notice and in the list', async () => {
  await service.begin({ title: 'Begun before', by: owner })
  const console = await openAtWork()
  await exportIncompletely()
  const message = notice(console, 'Fertig')
  await expectPage(message).toContainText(`Export: ${warning}`)
  await message.getByRole('button', { name: 'Show' }).click()
  const panel = console.page.getByRole('dialog', { name: 'Tasks' })
  await expectPage(panel.getByText(warning)).toBeVisible()
  await expectPage(panel.locator('[data-status="warning"]').first()).toBeVisible()
})

test('TASK-06 DEC-28 notice, report and log of a task are in the language of each reader', async () => {
  await owner.call(settingsEndpoints.update, { body: { language: 'de-DE' } })
  await other.call(settingsEndpoints.update, { body: { taskNoticeScope: 'all' } })
  await service.begin({ title: 'Begun before', by: owner })
  const readers = [
    {
      console: await openAtWork({}, /^Aufgaben, \d+ in Arbeit/),
      show: 'Anzeigen',
      tasks: 'Aufgaben',
      details: 'Details und Protokoll: Export',
      incomplete: 'Unvollständig: 1 Datei fehlt, siehe Protokoll',
      report: '5 Dateien exportiert',
      line: 'media/1 fehlt: Die Datei wurde nicht gefunden',
    },
    {
      console: await openAtWork({ as: other }),
      show: 'Show',
      tasks: 'Tasks',
      details: 'Details and log: Export',
      incomplete: warning,
      report: 'Exported 5 files',
      line: 'media/1 is missing: the file was not found',
    },
  ]
  await exportIncompletely()
  for (const { console, incomplete, show } of readers) {
    const message = notice(console, 'Fertig')
    await expectPage(message).toContainText(`Export: ${incomplete}`)
    await message.getByRole('button', { name: show }).click()
  }
  for (const { console, tasks, incomplete, report, details, line } of readers) {
    const panel = console.page.getByRole('dialog', { name: tasks })
    await expectPage(panel).toContainText(incomplete)
    await expectPage(panel).toContainText(report)
    await panel.getByRole('button', { name: details }).click()
    await expectPage(panel.getByRole('list', { name: /Export$/ })).toContainText(line)
  }
})
