import { edgeEnrolmentEndpoints, edgeKeyEndpoints } from '@pult/contract'
import { connectAgent } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

const machine = (id: string) => ({
  ids: [id.padStart(32, '0')],
  hostname: `player-${id}`,
  platform: 'linux arm64',
  model: 'Raspberry Pi 5 Model B',
  serial: `serial-${id}`,
  addresses: ['10.0.0.7'],
})

async function join(code: string) {
  const answer = await server.call(edgeEnrolmentEndpoints.redeem, {
    body: { code, machine: machine('1'), version: '1.2.3' },
  })
  expect(answer).toSucceed()
  server.watchSecret(answer.body.token)
  return answer.body.token
}

test('a user creates a key, approves a machine that uses it, and accepts a copy of its disk', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const { page, complaints, expectAccessible, expectAccessibleInLooks } = await openConsole(server, {
    as: owner,
    path: '/app/edges',
  })
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')

  await main.getByRole('button', { name: 'Add an edge' }).click()
  await dialog.getByRole('link', { name: 'Enrolment keys' }).click()
  await main.getByRole('heading', { name: 'No enrolment keys' }).waitFor()
  await expectPage(main.getByRole('heading', { level: 1 })).toHaveText(['Enrolment keys'])
  await main.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Enter a name').waitFor()
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await name.fill('Halls\u202e')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expectPage(name).toHaveAccessibleDescription(/^Must not contain control characters/)
  await expectPage(dialog.getByRole('alert')).toHaveCount(0)
  await name.fill('Halls')
  await dialog.getByRole('textbox', { name: 'Uses' }).fill('2')
  await dialog.getByRole('textbox', { name: 'Tags' }).fill('Hall')
  await dialog.getByRole('textbox', { name: 'Tags' }).press('Enter')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const secret = await dialog.getByRole('textbox', { name: 'Key', exact: true }).inputValue()
  server.watchSecret(secret)
  expect(await dialog.getByRole('textbox', { name: 'Command' }).inputValue()).toContain(`--code ${secret}`)
  await dialog.getByText('The key works for 2 machines').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  const key = main.getByRole('row', { name: /Halls/ })
  await key.getByText('2 left, 0 used').waitFor()

  await main.getByRole('link', { name: 'Edges' }).click()
  await main.getByRole('heading', { name: 'No edges yet' }).waitFor()
  const token = await join(secret)
  const waiting = main.getByRole('list', { name: '1 machine asks to join' })
  await waiting.getByText('Raspberry Pi 5 Model B').waitFor()
  await expectAccessible()
  await waiting.getByRole('button', { name: 'Approve player-1' }).click()
  await main.getByRole('row', { name: /player-1/ }).waitFor()
  await waiting.waitFor({ state: 'detached' })

  const copy = await connectAgent(server.url, { token, machine: machine('2') })
  onTestFinished(() => copy.ws.terminate())
  await waiting.getByText('Presents the identity of player-1').waitFor()
  await expectAccessibleInLooks()
  await waiting.getByRole('button', { name: 'Accept player-2 as player-1' }).click()
  const question = page.getByRole('alertdialog', { name: 'Accept this machine as player-1?' })
  await owner.forgetSignIn()
  await question.getByRole('button', { name: 'Accept' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Password', { exact: true }).last().fill(owner.password)
  await page.keyboard.press('Enter')
  await waiting.waitFor({ state: 'detached' })

  await page.goto('/app/edges/keys')
  await key.getByText('1 left, 1 used').waitFor()
  await expectAccessible()
  // As if the account of the creator had been deleted.
  await server.db
    .updateTable('edge_key')
    .set({ created_by: null })
    .where('project_id', '=', projectId)
    .execute()
  await page.reload()
  await key.getByText('Creator may no longer add edges').waitFor()
  await key.getByRole('button', { name: 'Revoke Halls' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await main.getByRole('heading', { name: 'No enrolment keys' }).waitFor()
  expect(complaints).toEqual([])
  expect(
    await server.db
      .selectFrom('edge')
      .select(['label', 'tags'])
      .where('project_id', '=', projectId)
      .execute(),
  ).toEqual([{ label: 'player-1', tags: ['Hall'] }])
})

test('BetterDesk#351 a user approves a refused machine on the page of the keys', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const made = await owner.call(edgeKeyEndpoints.create, {
    params: { projectId },
    body: { label: 'Halls', needsApproval: true },
  })
  server.watchSecret(made.body.secret)
  await join(made.body.secret)
  const { page, complaints, expectAccessibleInLooks } = await openConsole(server, {
    as: owner,
    path: '/app/edges',
  })
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Refuse player-1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Refuse' }).click()
  await main.getByRole('list', { name: '1 machine asks to join' }).waitFor({ state: 'detached' })
  await page.goto('/app/edges/keys')
  const refused = main.getByRole('list', { name: '1 refused machine' })
  await refused.getByText('Raspberry Pi 5 Model B').waitFor()
  await expectAccessibleInLooks()
  await refused.getByRole('button', { name: 'Approve player-1' }).click()
  await refused.waitFor({ state: 'detached' })
  await main.getByRole('link', { name: 'Edges' }).click()
  await main.getByRole('row', { name: /player-1/ }).waitFor()
  expect(complaints).toEqual([])
})

test('only users who decide see the waiting machines, and see a message if these cannot be loaded', async () => {
  const owner = await given.person()
  const viewer = await given.person()
  const { projectId } = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [{ person: viewer, productRole: 'edges/viewer' }],
  })
  const made = await owner.call(edgeKeyEndpoints.create, {
    params: { projectId },
    body: { label: 'Halls', needsApproval: true },
  })
  server.watchSecret(made.body.secret)
  await join(made.body.secret)
  const opened = await openConsole(server, { as: viewer, path: '/app/edges' })
  await opened.page.getByRole('main').getByRole('heading', { name: 'No edges yet' }).waitFor()
  await expectPage(opened.page.getByText('asks to join')).toHaveCount(0)
  // The app does not call what the server would refuse.
  expect(opened.complaints).toEqual([])

  const { page } = await openConsole(server, { as: owner, path: '/app/edges' })
  await page
    .getByRole('list', { name: '1 machine asks to join' })
    .getByText('Raspberry Pi 5 Model B')
    .waitFor()
  await page.route('**/edge-requests', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.reload()
  await page.getByText('The machines that ask to join could not be loaded').waitFor()
})

test('a copy that shows no hardware may be a stolen identity, which the question states', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const made = await owner.call(edgeKeyEndpoints.create, { params: { projectId }, body: { label: 'Halls' } })
  server.watchSecret(made.body.secret)
  const token = await join(made.body.secret)
  const bare = await connectAgent(server.url, { token })
  onTestFinished(() => bare.ws.terminate())
  const { page, expectAccessible } = await openConsole(server, { as: owner, path: '/app/edges' })
  const waiting = page.getByRole('list', { name: '1 machine asks to join' })
  const question = waiting.getByText('It has the token of player-1 but shows no hardware')
  await expect.poll(() => question.isVisible()).toBe(true)
  await expectAccessible()
})
