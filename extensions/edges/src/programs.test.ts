import { edgeEndpoints, edgeEnrolmentEndpoints } from '@pult/contract'
import { connectAgent } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

const lastExit = { code: 3, signal: null, reason: null }
const player = {
  key: 'player',
  label: 'Player',
  state: 'running' as const,
  canRestart: true,
  program: { since: 7200, restarts: 2, lastExit },
}

test('a program shows its state and its live log, which is filtered, paused and downloaded, and stops', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const { body } = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 3' } })
  const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } })).body
  for (const secret of [body.code, token]) server.watchSecret(secret)
  const agent = await connectAgent(server.url, { token })
  onTestFinished(() => agent.ws.terminate())
  const report = () => agent.report({ instances: [player] })
  report()
  const timer = setInterval(() => agent.isOpen() && report(), 4000)
  onTestFinished(() => clearInterval(timer))
  const log = Array.from({ length: 30 }, (_, index) => `2026-01-31T09:12:04.120Z frame ${index + 1}`)
  let questions = 0
  agent.ws.on('message', (data) => {
    const { type, id, after, before = log.length + 1, isForward } = JSON.parse((data as Buffer).toString())
    if (type !== 'log') return
    questions += 1
    const requested = log.slice(after, before - 1)
    const lines = isForward ? requested.slice(0, 20) : requested.slice(-20)
    agent.send({ type: 'log', id, first: isForward ? after + 1 : before - lines.length, lines, oldest: 1 })
  })
  const read = async () =>
    (await owner.call(edgeEndpoints.read, { params: { projectId, edgeId: body.edge._id } })).body
  await expect.poll(async () => (await read()).instances.length).toBe(1)

  const { page, expectAccessible, complaints } = await openConsole(server, {
    as: owner,
    path: `/app/edges/${body.edge._id}`,
  })
  const row = page.getByRole('row', { name: /Player/ })
  await expectPage(row).toContainText('restarted 2 times automatically')
  await expectPage(row).toContainText('Last exit: code 3')
  expect(questions).toBe(0)

  await row.getByRole('button', { name: 'Log of Player' }).click()
  const lines = page.getByRole('log', { name: 'Log of Player' })
  await expectPage(lines).toContainText('frame 30')
  await expectPage(lines).not.toContainText('frame 10')
  await page.getByRole('button', { name: 'Earlier lines' }).click()
  await expectPage(lines).toContainText('frame 10')
  log.push(...Array.from({ length: 50 }, (_, index) => `2026-01-31T09:12:05.120Z frame ${index + 31}`))
  await expectPage(lines).toContainText('30 lines skipped')
  await page.getByRole('searchbox', { name: 'Filter lines' }).fill('frame 7')
  await expectPage(lines).not.toContainText('frame 62')
  await expectPage(lines).toContainText('frame 7')
  await expectAccessible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^edge-log-.*\.txt$/)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expectPage(page.getByRole('button', { name: 'Continue' })).toBeVisible()
  await page.getByRole('button', { name: 'Close the log of Player' }).click()
  await expectPage(lines).toHaveCount(0)

  await row.getByRole('button', { name: 'Stop Player' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click()
  await expect
    .poll(() => agent.messages.flatMap((one) => (one.type === 'command' ? [one.command] : [])))
    .toEqual([{ name: 'stop-instance', key: 'player' }])
  expect(complaints).toEqual([])
})
