import { edgeJobEndpoints } from '@pult/contract'
import { someReport } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, type GivenPerson, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

const products = ['project', 'edges']

/** Starts a job for two edges that are away, so it stays open. */
async function givenJob(owner: GivenPerson, projectId: string): Promise<string> {
  const report = someReport({ commands: [] })
  const edges = [
    await given.edge(projectId, { label: 'Crane', report, offlineFor: 5 }),
    await given.edge(projectId, { label: 'Gate', report, offlineFor: 5 }),
  ]
  const body = { command: { name: 'diagnostics' as const }, target: { edges } }
  const started = await owner.call(edgeJobEndpoints.start, { params: { projectId }, body })
  expect(started).toSucceed()
  return started.body._id
}

test('a job on edges counts as running on home, in the header, in the panel and on the page of tasks, until it ends', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { label: 'Messe', products })
  const opened = await openConsole(server, { as: ada })
  const { page } = opened
  const card = page.getByRole('main').getByRole('region', { name: 'Tasks' })
  const button = page.getByRole('banner').getByRole('button', { name: /^Tasks/ })
  await expectPage(card.getByText('Nothing is running')).toBeVisible()
  const jobId = await givenJob(ada, projectId)
  const job = card.getByRole('listitem').filter({ hasText: 'Diagnose the edge' })
  await expectPage(job).toContainText('0 of 2 edges')
  await expectPage(card).toContainText('1 running')
  await expectPage(button).toHaveAccessibleName('Tasks, 1 running')

  await sql`update edge_job_line set state = 'done', ended_at = now()
    where job_id = ${jobId} and label = 'Crane'`.execute(server.db)
  await page.reload()
  await expectPage(job).toContainText('1 of 2 edges')
  await expectPage(job.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50')
  const percent = () => button.locator('[style]').first().getAttribute('style')
  await expectPage.poll(percent).toContain('--percent: 50')
  await opened.expectAccessible()

  await button.click()
  const panel = page.getByRole('dialog', { name: 'Tasks' })
  const link = panel.getByRole('list', { name: 'Jobs on edges' }).getByRole('link')
  await expectPage(link).toHaveText('Diagnose the edge')
  await opened.expectAccessible()
  await panel.getByRole('radio', { name: 'Ended' }).check()
  await expectPage(link).toHaveCount(0)
  await panel.getByRole('radio', { name: 'Mine' }).check()
  await link.click()
  await expectPage(page).toHaveURL(new RegExp(`/app/edges/jobs/${jobId}`))
  await expectPage(panel).toHaveCount(0)

  await page.goto('/tasks')
  const jobs = page.getByRole('main').getByRole('region', { name: 'Jobs on edges of Messe' })
  await expectPage(jobs.getByRole('listitem')).toContainText('1 of 2 edges')
  await opened.expectAccessible()
  const params = { projectId, jobId }
  expect(await ada.call(edgeJobEndpoints.cancel, { params })).toSucceed()
  await expectPage(jobs).toHaveCount(0)
  await expectPage(button).toHaveAccessibleName('Tasks')
  expect(opened.complaints).toEqual([])
})

test('DEC-14 a user without the role for edges sees no job and asks for none', async () => {
  const ada = await given.person()
  const reader = await given.person()
  const { projectId } = await given.project(ada, {
    products,
    grants: [{ person: reader, productRole: 'project/viewer' }],
  })
  await givenJob(ada, projectId)
  const { page } = await openConsole(server, { as: reader, path: null })
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/edge-jobs')) asked += 1
  })
  await page.goto('/')
  await expectPage(page.getByText('Nothing is running')).toBeVisible()
  await page.goto('/tasks')
  await expectPage(page.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(asked).toBe(0)
})
