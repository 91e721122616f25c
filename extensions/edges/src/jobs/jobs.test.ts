import { edgeEndpoints, edgeEnrolmentEndpoints } from '@pult/contract'
import { connectAgent, someReport } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

const play = {
  key: 'play',
  label: 'Play a list',
  parameters: [
    { key: 'name', label: 'Playlist', type: 'string' as const, maxLength: 20 },
    { key: 'volume', label: 'Volume', type: 'number' as const, min: 0, max: 10, default: 5 },
  ],
}

test('a user previews a job for selected edges, starts it, sees the results arrive, and reads an output', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const enrol = async (label: string) => {
    const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
    const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } }))
      .body
    for (const secret of [made.body.code, token]) server.watchSecret(secret)
    return { token, edgeId: made.body.edge._id }
  }
  const { token, edgeId } = await enrol('Hall 1')
  await enrol('Hall 2')
  const agent = await connectAgent(server.url, { token })
  agent.report({ commands: [play] })
  const reporting = setInterval(() => agent.report({ commands: [play] }), 2000)
  onTestFinished(() => {
    clearInterval(reporting)
    agent.ws.terminate()
  })
  await expect
    .poll(async () => (await owner.call(edgeEndpoints.read, { params: { projectId, edgeId } })).body.report)
    .not.toBeNull()

  const { page, complaints, expectAccessible } = await openConsole(server, { as: owner, path: '/app/edges' })
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  for (const name of [/Hall 1/, /Hall 2/]) await main.getByRole('row', { name }).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Run a job' }).click()
  await dialog.getByRole('combobox', { name: 'Command' }).selectOption('Play a list (1 edge)')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Enter a value').waitFor()
  await dialog.getByRole('textbox', { name: 'Playlist' }).fill('night')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Now: 1').waitFor()
  await dialog.getByText('Not reached · Never connected: 1').waitFor()
  await expectAccessible()
  // A job on one edge never asks for a recent sign-in.
  await owner.forgetSignIn()
  await dialog.getByRole('button', { name: 'Start on 1 edge' }).click()

  await main.getByRole('heading', { name: 'Play a list' }).waitFor()
  const row = main.getByRole('row', { name: /Hall 1/ })
  const received = () => agent.messages.find((message) => message.type === 'command')
  await expect.poll(received).toBeDefined()
  const command = received()
  // The first answer of an agent acknowledges the command.
  await row.getByText('Waiting').waitFor()
  agent.send({ type: 'answer', command: command?.id ?? '', lines: [] })
  await row.getByText('Running').waitFor()
  expect(command?.command).toEqual({ name: 'run', key: 'play', values: { name: 'night', volume: 5 } })
  agent.send({
    type: 'answer',
    command: command?.id ?? '',
    lines: ['12 titles'],
    outcome: { ok: false, error: 'It exited with code 3' },
  })
  await row.getByText('It exited with code 3').waitFor()
  await main.getByRole('button', { name: 'Retry on 1 edge' }).waitFor()
  await expectAccessible()
  await row.getByRole('button', { name: 'Output of Hall 1' }).click()
  await dialog.getByText('12 titles').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await main.getByRole('link', { name: 'Jobs' }).click()
  await expectPage(main.getByRole('heading', { level: 1 })).toHaveText(['Jobs'])
  await main
    .getByRole('row', { name: /Play a list/ })
    .getByText('Failed: 1')
    .first()
    .waitFor()
  await expectAccessible()
  expect(complaints).toEqual([])

  await main.getByRole('link', { name: 'Play a list' }).click()
  await main.getByRole('heading', { level: 1, name: 'Play a list' }).waitFor()
  await server.db.deleteFrom('edge_job').execute()
  await main.getByRole('heading', { name: 'This job does not exist' }).waitFor()
})

test('RULE-15 DEC-07 a job on several edges asks for a recent sign-in in place; cancelling keeps the preview', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  for (const label of ['Hall 1', 'Hall 2'])
    await given.edge(projectId, { label, state: 'offline', report: someReport({ commands: [] }) })
  const { page, complaints } = await openConsole(server, { as: owner, path: '/app/edges' })
  const main = page.getByRole('main')
  for (const name of [/Hall 1/, /Hall 2/]) await main.getByRole('row', { name }).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Run a job' }).click()
  const dialog = page.getByRole('dialog', { name: 'Job for 2 edges' })
  await dialog.getByRole('combobox', { name: 'Command' }).selectOption('Diagnose the edge')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await owner.forgetSignIn()
  const start = dialog.getByRole('button', { name: 'Start on 2 edges' })
  await start.click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByRole('button', { name: 'Cancel' }).click()
  await proof.waitFor({ state: 'detached' })
  await expectPage(dialog.getByRole('alert')).toHaveCount(0)

  await start.click()
  await proof.getByLabel('Password', { exact: true }).last().fill(owner.password)
  await page.keyboard.press('Enter')
  await main.getByRole('heading', { name: 'Diagnose the edge' }).waitFor()
  expect(complaints).toEqual([])
})
