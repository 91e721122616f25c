import { edgeEndpoints, edgeEnrolmentEndpoints, edgeUpdateEndpoints } from '@pult/contract'
import { connectAgent, someReport } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })

test('a user sees the versions of agents, chooses the policy of updates, and updates one edge manually', async () => {
  const owner = await server.given.person()
  // Calls the API directly, because the console soon replaces the token of its account.
  const colleague = await server.given.person()
  const { projectId } = await server.given.project(owner, {
    products: ['project', 'edges'],
    grants: [{ person: colleague, productRole: 'edges/operator' }],
  })
  const body = { mode: 'manual', rings: [10, 100], pause: 5 } as const
  const params = { projectId }
  const before = (await colleague.call(edgeUpdateEndpoints.read, { params })).body
  await colleague.call(edgeUpdateEndpoints.update, {
    params,
    body: { ...before.policy, ...body, rings: [...body.rings] },
  })
  const made = await colleague.call(edgeEndpoints.enrol, { params, body: { label: 'Hall 3' } })
  const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } }))
    .body
  for (const secret of [made.body.code, token]) server.watchSecret(secret)
  const agent = await connectAgent(server.url, { token, version: '2.3.0' })
  const failed = {
    version: before.version,
    reason: 'It exited with code 1 before it had reported',
    at: '2026',
  }
  const report = someReport({ update: { isReady: true, failed } })
  agent.report(report)
  const timer = setInterval(() => agent.report(report), 4000)
  try {
    await expect
      .poll(async () => (await colleague.call(edgeUpdateEndpoints.read, { params })).body.counts.failed)
      .toBe(1)
    const opened = await openConsole(server, { as: owner, path: '/app/edges' })
    const main = opened.page.getByRole('main')
    const dialog = opened.page.getByRole('dialog')
    await main.getByRole('button', { name: 'Agent updates' }).click()
    await expectPage(dialog.getByText('1 returned to the former version')).toBeVisible()
    await expectPage(dialog.getByRole('list', { name: 'Versions' })).toContainText('2.3.0')
    await dialog.getByRole('combobox', { name: 'How agents are updated' }).selectOption('rings')
    const steps = dialog.getByRole('textbox', { name: 'Steps in percent of the edges' })
    await expectPage(steps).toHaveValue('10, 100')
    await steps.fill('50, 20')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectPage(dialog.getByText('Enter ascending numbers that end with 100')).toBeVisible()
    await expectPage(steps).toBeFocused()
    await opened.expectAccessible()
    await steps.fill('20 50 100')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectPage(dialog).toBeHidden()
    const { policy } = (await colleague.call(edgeUpdateEndpoints.read, { params })).body
    expect(policy).toMatchObject({ mode: 'rings', rings: [20, 50, 100], pause: 5 })

    await main.getByText('Hall 3').first().click()
    await expectPage(main.getByText(`The update to ${before.version} failed`)).toBeVisible()
    await expectPage(main.getByText(failed.reason)).toBeVisible()
    await main.getByRole('button', { name: `Update to ${before.version}` }).click()
    const sentCommands = () =>
      agent.messages.flatMap((message) => (message.type === 'command' ? [message.command.name] : []))
    await expect.poll(sentCommands).toEqual(['update'])
    expect(opened.complaints).toEqual([])
  } finally {
    clearInterval(timer)
    agent.ws.terminate()
  }
})
