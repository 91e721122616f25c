import { taskEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { renderExtension, renderService } from './testing/render-service.ts'

const server = await testServer({ withConsole: true, extensionsFolder: await renderExtension() })

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

const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const notice = (opened: OpenedConsole, text: string) =>
  notices(opened).getByRole('alertdialog').filter({ hasText: text })

/** Until it knows the tasks: what was before is no news. */
async function openAtWork(options: Parameters<typeof openConsole>[1] = {}) {
  const console = await openConsole(server, { as: owner, path: '/me', ...options })
  await expectPage(console.page.getByRole('button', { name: /^Tasks, \d+ running/ })).toBeVisible()
  return console
}

test('TASK-06 TASK-07 each end of one’s own tasks is told in its words, that of others and what was before is not', async () => {
  await (await service.begin({ title: 'Long over', by: owner })).fulfil()
  await service.begin({ title: 'Begun before', by: owner })
  const console = await openAtWork()
  await (await service.begin({ title: 'Of somebody else', by: other })).fulfil()
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
  for (const silent of ['Long over', 'Of somebody else', 'Begun before'])
    await expectPage(notice(console, silent)).toHaveCount(0)
})

test('TASK-06 many at once are one message, in one of the windows of a browser; begun and over meanwhile is over', async () => {
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
  const told = async () =>
    (
      await Promise.all(
        [first, second].map((console) => notices(console).getByRole('alertdialog').allInnerTexts()),
      )
    ).flat()
  await expect.poll(told, { timeout: 15_000 }).not.toEqual([])
  for (const { page } of [first, second])
    await expectPage(page.getByRole('button', { name: 'Tasks, 16 running' })).toBeVisible()
  const [summary, ...more] = await told()
  expect(summary).toContain('50 tasks')
  for (const part of ['20 × Fertig', '15 × Ein Fehler ist aufgetreten', '15 × Gestartet ...'])
    expect(summary).toContain(part)
  expect(more).toEqual([])
})
