import { randomUUID } from 'node:crypto'
import {
  edgeDeckEndpoints,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeJobEndpoints,
  ownEdgeDeckEndpoints,
} from '@pult/contract'
import { connectAgent } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, type GivenPerson, openConsole, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

const serial = 'AL01'
const deck = {
  serial,
  model: 'MK.2',
  firmware: '1',
  columns: 5,
  rows: 3,
  width: 360,
  height: 216,
  problem: null,
}
const faulty = {
  path: '/dev/hidraw3',
  model: 'Stream Deck XL',
  fault: 'no-serial' as const,
  detail: 'Invalid SN!',
}
const decks = { driver: 'ready' as const, reason: null, devices: [deck], faulty: [faulty] }

/** Creates an edge whose agent reports the decks. */
async function givenEdge(owner: GivenPerson, projectId: string) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 3' } })
  const edgeId = made.body.edge._id
  const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } }))
    .body
  for (const secret of [made.body.code, token]) server.watchSecret(secret)
  const agent = await connectAgent(server.url, { token })
  agent.report({ decks, commands: [] })
  const reporting = setInterval(() => agent.report({ decks, commands: [] }), 2000)
  onTestFinished(() => {
    clearInterval(reporting)
    agent.ws.terminate()
  })
  const read = () => owner.call(edgeEndpoints.read, { params: { projectId, edgeId } })
  await expect.poll(async () => (await read()).body.report).not.toBeNull()
  return { agent, edgeId }
}

test.each(['light', 'dark'] as const)(
  'the owner of a project assigns an account to a deck, sees that it has to agree, and sets keys, which the deck receives and runs, %s',
  async (theme) => {
    const owner = await given.person()
    const account = await given.person({ firstname: 'Desk', lastname: 'Three' })
    const { projectId } = await given.project(owner, {
      products: ['project', 'edges'],
      grants: [{ person: account, productRole: 'edges/operator' }],
    })
    const { agent, edgeId } = await givenEdge(owner, projectId)
    const params = { projectId, edgeId }

    const { page, complaints, expectAccessible } = await openConsole(server, {
      as: owner,
      path: `/app/edges/edit/${edgeId}`,
      theme,
      viewport: theme === 'light' ? { width: 1280, height: 900 } : { width: 390, height: 1800 },
    })
    await expectPage(page.getByText('No readable serial number')).toBeVisible()
    await expectPage(page.getByText('Reported: Invalid SN!')).toBeVisible()
    await page.getByRole('button', { name: 'Keys', exact: true }).click()
    const keys = page.getByRole('region', { name: 'Keys of MK.2' })
    const settings = async () =>
      (await owner.call(edgeDeckEndpoints.read, { params: { ...params, serial } })).body
    await keys.getByRole('combobox', { name: 'Acts for' }).selectOption('Desk Three')
    await expect.poll(async () => (await settings()).account?._id).toBe(account.personId)
    const waits = keys.getByText('Waiting for the consent of Desk Three')
    await expectPage(waits).toBeVisible()
    await expectAccessible()
    expect(await account.call(ownEdgeDeckEndpoints.agree, { params: { edgeId, serial } })).toSucceed()
    await waits.waitFor({ state: 'detached' })

    await keys.getByRole('button', { name: 'Key 2', exact: true }).click()
    await keys.getByRole('textbox', { name: 'Label' }).fill('Check')
    const pressed = keys.getByRole('group', { name: 'When pressed' })
    await pressed.getByRole('button', { name: 'Add a step' }).click()
    await pressed.getByRole('combobox', { name: 'Step 1' }).selectOption('Diagnose the edge')
    const held = keys.getByRole('group', { name: 'When held' })
    await held.getByRole('button', { name: 'Add a step' }).click()
    await held.getByRole('combobox', { name: 'Step 1' }).selectOption('Page 2')
    await expectAccessible()
    if (theme === 'light') {
      await page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
    }
    await keys.getByRole('button', { name: 'Save page 1' }).click()
    const key = {
      key: 1,
      label: 'Check',
      press: [{ type: 'job', command: { name: 'diagnostics' }, group: null }],
      hold: [{ type: 'page', page: 1 }],
    }
    await expect.poll(async () => (await settings()).pages).toEqual([{ page: 0, keys: [key] }])
    const desk = () => {
      const last = agent.messages.findLast((message) => message.type === 'desk')
      return last?.type === 'desk' ? { keys: last.keys, width: last.picture?.width } : undefined
    }
    await expect.poll(desk).toEqual({ keys: [{ key: 1, press: 'ask', hold: { page: 1 } }], width: 360 })

    const id = randomUUID()
    agent.send({ type: 'press', id, serial, page: 0, key: 1, isHeld: false })
    const pressedKeys = () => agent.messages.filter((message) => message.type === 'pressed')
    await expect.poll(pressedKeys).toEqual([{ type: 'pressed', id, isDone: true }])
    const { items } = (await owner.call(edgeJobEndpoints.list, { params })).body
    expect(items).toMatchObject([{ createdBy: { _id: account.personId } }])
    expect(complaints).toEqual([])
  },
)

test('oxidecomputer/console#3359 a step keeps its group while the groups load', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const { edgeId } = await givenEdge(owner, projectId)
  const group = await owner.call(edgeGroupEndpoints.create, {
    params: { projectId },
    body: { label: 'Cranes', rule: {} },
  })
  const check = { type: 'job' as const, command: { name: 'diagnostics' as const }, group: group.body._id }
  const saved = await owner.call(edgeDeckEndpoints.setPage, {
    params: { projectId, edgeId, serial, page: '0' },
    body: { keys: [{ key: 0, label: 'Check', press: [check], hold: [] }], face: null },
  })
  expect(saved).toSucceed()
  const { page } = await openConsole(server, { as: owner, path: null })
  const released = Promise.withResolvers<void>()
  await page.route(/\/edge-groups(?:\?|$)/, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(`/app/edges/edit/${edgeId}`)
  await page.getByRole('button', { name: 'Keys', exact: true }).click()
  const keys = page.getByRole('region', { name: 'Keys of MK.2' })
  await keys.getByRole('button', { name: /Check/ }).click()
  const chosen = keys.getByLabel('For', { exact: true }).locator('option:checked')
  await expectPage(chosen).toHaveText('Loading …')
  released.resolve()
  await expectPage(chosen).toHaveText('Cranes')
})
