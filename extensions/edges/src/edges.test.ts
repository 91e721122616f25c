import type { Locator } from '@playwright/test'
import { edgeEndpoints, edgeEnrolmentEndpoints, edgeInstanceEndpoints } from '@pult/contract'
import { connectAgent, someReport, type VirtualAgent } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

let owner: GivenPerson
let projectId: string
/** Does what the console does not: it soon replaces the token of whoever opens it. */
let colleague: GivenPerson
let viewer: GivenPerson
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga' })
  colleague = await given.person({ firstname: 'Otto' })
  viewer = await given.person({ firstname: 'Vera' })
  const made = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [
      { person: colleague, productRole: 'edges/operator' },
      { person: viewer, productRole: 'edges/viewer' },
    ],
  })
  projectId = made.projectId
})

/** How many lines its text, which is the first in it, takes. */
const linesOf = (place: Locator) =>
  place.evaluate((element) => {
    const text = document.createRange()
    text.selectNodeContents(element.firstChild ?? element)
    return text.getClientRects().length
  })

const agents: VirtualAgent[] = []
afterEach(() => {
  for (const { ws } of agents.splice(0)) ws.terminate()
})

const main = ({ page }: OpenedConsole) => page.getByRole('main')
const dialog = ({ page }: OpenedConsole) => page.getByRole('dialog')
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog')
const edges = ({ page }: OpenedConsole) => page.getByRole('table', { name: 'Edges' })
const button = (opened: OpenedConsole, name: string) =>
  main(opened).getByRole('button', { name, exact: true })

async function enrol(label: string) {
  const made = await colleague.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  server.watchSecret(made.body.code)
  return { edgeId: made.body.edge._id, token: await redeem(made.body.code) }
}

async function redeem(code: string): Promise<string> {
  server.watchSecret(code)
  const { body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code } })
  server.watchSecret(body.token)
  return body.token
}

async function start(token: string, report = someReport()): Promise<VirtualAgent> {
  const agent = await connectAgent(server.url, { token })
  agents.push(agent)
  agent.report(report)
  // As long as it is there.
  const timer = setInterval(() => agent.isOpen() && agent.report(report), 4000)
  void agent.closed.then(() => clearInterval(timer))
  return agent
}

const running = { key: 'player', label: 'Player', state: 'running', canRestart: true } as const

test('an edge is added with a command to copy, which waits until its agent is there', async () => {
  const opened = await openConsole(server, { as: owner, path: '/app/edges' })
  await expectPage(main(opened).getByText('No edges yet')).toBeVisible()
  await opened.expectAccessible()
  await button(opened, 'Add an edge').click()
  await dialog(opened).getByRole('button', { name: 'Add an edge' }).click()
  await expectPage(dialog(opened).getByText('Please enter a name')).toBeVisible()
  await opened.page.keyboard.type('Hall 3')
  await opened.page.keyboard.press('Enter')
  const command = await dialog(opened).getByLabel('Command').inputValue()
  expect(command.replace(/[\s\\]+/g, ' ')).toContain(
    `${server.url}/api/edges/edge-agent.mjs && node edge-agent.mjs --server ${server.url} --code `,
  )
  await expectPage(dialog(opened).getByText('Waiting for the agent …')).toBeVisible()
  await opened.expectAccessible()
  const token = await redeem(command.split(' ').at(-1) ?? '')
  await start(token)
  await expectPage(dialog(opened).getByText('Hall 3 is online')).toBeVisible()
  await dialog(opened).getByRole('button', { name: 'Open the edge' }).click()
  await expectPage(opened.page.getByRole('heading', { level: 2, name: 'Hall 3' })).toBeVisible()
  await expectPage(main(opened).getByText('192.168.1.20')).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('ROUTE-10 the list tells within two seconds that an edge has come, and is searched by key:value', async () => {
  const { token } = await enrol('Hall 3')
  await enrol('Truck')
  const opened = await openConsole(server, { as: viewer, path: '/app/edges' })
  const row = edges(opened).getByRole('row', { name: /Hall 3/ })
  await expectPage(row.getByText('Offline')).toBeVisible()
  await expectPage(button(opened, 'Add an edge')).toHaveCount(0)
  const from = performance.now()
  await start(token)
  await expectPage(row.getByText('Online')).toBeVisible()
  expect(performance.now() - from).toBeLessThan(2000)
  await expectPage(row.getByRole('meter', { name: 'Disk: Hall 3' })).toHaveAttribute('aria-valuetext', '38 %')
  await opened.page.getByRole('searchbox', { name: 'Search edges' }).fill('state:online')
  await expectPage(edges(opened).getByRole('row')).toHaveCount(2)
  await expectPage(opened.page).toHaveURL('/app/edges?search=state%3Aonline')
  await opened.page.getByRole('searchbox', { name: 'Search edges' }).fill('label:tr')
  await expectPage(edges(opened).getByRole('link', { name: 'Truck' })).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('API-20 EDGE-01 an instance is given to another project, renamed and deleted', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  await start(token, someReport({ instances: [running] }))
  const { projectId: tour } = await given.project(owner, { label: 'Tour' })
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  const table = opened.page.getByRole('table', { name: 'Instances' })
  await expectPage(table.getByText('Running')).toBeVisible()
  await table.getByLabel('Project that uses Player').selectOption('Tour')
  await expectPage(opened.page.getByText('Player is used by Tour now')).toBeVisible()
  const reader = await given.person({ isRoot: true })
  const answer = await reader.call(edgeInstanceEndpoints.list, { params: { projectId: tour } })
  expect(answer.body.items).toMatchObject([{ label: 'Hall 3', instances: [{ label: 'Player' }] }])

  await button(opened, 'Add an instance').click()
  await dialog(opened).getByLabel('Name').fill('Printer')
  await opened.page.keyboard.press('Enter')
  await expectPage(table.getByRole('rowheader', { name: 'Printer' })).toBeVisible()
  await table.getByRole('button', { name: 'Rename Printer' }).click()
  await dialog(opened).getByLabel('Name').fill('Label printer')
  await dialog(opened).getByRole('button', { name: 'Save' }).click()
  await table.getByRole('button', { name: 'Delete Label printer' }).click()
  await question(opened).getByRole('button', { name: 'Delete' }).click()
  await expectPage(table.getByRole('rowheader', { name: 'Label printer' })).toHaveCount(0)
  await expectPage(table.getByRole('button', { name: 'Delete Player' })).toHaveCount(0)
  expect(opened.complaints).toEqual([])
})

test('diagnostics and a restart run as tasks whose log is there line by line', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  const agent = await start(token, someReport({ instances: [running] }))
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  await button(opened, 'Run diagnostics').click()
  const commands = () => agent.messages.flatMap((message) => (message.type === 'command' ? [message] : []))
  await expect.poll(() => commands().length, { timeout: 10_000 }).toBe(1)
  const [diagnostics] = commands()
  expect(diagnostics?.command).toEqual({ name: 'diagnostics' })
  const answer = (
    id: string,
    lines: string[],
    outcome?: { ok: true; info: string } | { ok: false; error: string },
  ) => agent.send({ type: 'answer', command: id, lines, ...(outcome !== undefined && { outcome }) })
  answer(diagnostics?.id ?? '', ['Load 0.4', 'Problem: the disk is full'])
  const log = opened.page.getByRole('log')
  await expectPage(log.getByText('Problem: the disk is full')).toBeVisible()
  await expectPage(main(opened).getByText('Running', { exact: true }).first()).toBeVisible()
  answer(diagnostics?.id ?? '', ['Disk 99 %'], { ok: true, info: '1 problem(s)' })
  await expectPage(main(opened).getByText('1 problem(s)')).toBeVisible()
  await expectPage(log.getByText('Disk 99 %')).toBeVisible()

  await button(opened, 'Restart Player').click()
  await question(opened).getByRole('button', { name: 'Restart' }).click()
  await expect.poll(() => commands().length, { timeout: 10_000 }).toBe(2)
  expect(commands()[1]?.command).toEqual({ name: 'restart-instance', key: 'player' })
  answer(commands()[1]?.id ?? '', [], { ok: false, error: 'Player was not restarted: it ended with 1' })
  await expectPage(main(opened).getByText('Player was not restarted: it ended with 1')).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('DEC-20 an edge is revoked and deleted after a question, by keyboard', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  const agent = await start(token)
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  await button(opened, 'Revoke').press('Enter')
  await expectPage(question(opened)).toBeVisible()
  await opened.page.keyboard.press('Escape')
  await expectPage(question(opened)).toHaveCount(0)
  expect(agent.isOpen()).toBe(true)
  await button(opened, 'Revoke').press('Enter')
  await question(opened).getByRole('button', { name: 'Revoke' }).press('Enter')
  await expectPage(main(opened).getByText('Revoked', { exact: true })).toBeVisible()
  expect(await agent.closed).toBe(4401)
  await button(opened, 'Delete edge').press('Enter')
  await question(opened).getByRole('button', { name: 'Delete' }).press('Enter')
  await expectPage(opened.page).toHaveURL('/app/edges')
  await expectPage(main(opened).getByText('No edges yet')).toBeVisible()
})

test('who may only see edges is offered nothing that acts; an address of no edge says so', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  await start(token, someReport({ instances: [running] }))
  const opened = await openConsole(server, { as: viewer, path: `/app/edges/${edgeId}` })
  await expectPage(opened.page.getByRole('table', { name: 'Instances' })).toContainText('Player')
  for (const name of [
    'Run diagnostics',
    'Restart agent',
    'Add an instance',
    'Rename Player',
    'Revoke',
    'Delete edge',
  ])
    await expectPage(button(opened, name)).toHaveCount(0)
  await expectPage(main(opened).getByRole('combobox')).toHaveCount(0)
  await opened.page.goto('/app/edges/018f0000-0000-7000-8000-000000000000')
  await expectPage(main(opened).getByText('There is no such edge')).toBeVisible()
})

test.each(['light', 'dark'] as const)(
  'list and detail break no rule of accessibility, %s and on a phone',
  async (theme) => {
    const { token } = await enrol('Hall 3')
    await enrol('Truck')
    const deck = {
      model: 'Stream Deck MK.2',
      firmware: '1.1',
      columns: 5,
      rows: 3,
      width: 360,
      height: 216,
      problem: null,
    }
    const decks = { driver: 'ready' as const, reason: null, devices: [{ ...deck, serial: 'AL01' }] }
    await start(token, someReport({ instances: [running], decks }))
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 800 },
    ]) {
      const opened = await openConsole(server, {
        as: { token: await owner.login() },
        path: '/app/edges',
        theme,
        viewport,
      })
      await expectPage(edges(opened).getByText('Online')).toBeVisible()
      await opened.expectAccessible()
      await edges(opened).getByRole('link', { name: 'Hall 3' }).click()
      await expectPage(main(opened).getByLabel('Brightness of Stream Deck MK.2')).toBeVisible()
      await opened.expectAccessible()
      const overflow = () =>
        opened.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
      expect(await overflow()).toBe(false)
    }
  },
)

test.each([1280, 820, 390])('no name of an instance is broken within a word, %i px', async (width) => {
  // The choice of who uses an instance could be as wide as its widest name.
  await given.project(owner, { label: 'Festspielhaus Obermaschinerie und Unterbühne, Nebenspielstätte' })
  const { edgeId, token } = await enrol('Hall 3')
  await start(token, someReport({ instances: [{ ...running, label: 'Fahrtenschreiber' }] }))
  const opened = await openConsole(server, {
    as: owner,
    path: `/app/edges/${edgeId}`,
    viewport: { width, height: 900 },
  })
  await expectPage(main(opened).getByRole('rowheader', { name: 'Fahrtenschreiber' })).toBeVisible()
  expect(await linesOf(main(opened).getByRole('rowheader').locator('span').first())).toBe(1)
})

test('an edge that stays away is told of wherever one is in the console', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  const agent = await start(token)
  await expect
    .poll(
      async () => (await colleague.call(edgeEndpoints.read, { params: { projectId, edgeId } })).body.state,
    )
    .toBe('online')
  const opened = await openConsole(server, { as: viewer, path: null })
  const listens = new Promise<void>((resolve) => {
    opened.page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (/"subscribed".*\/edges"/.test(payload.toString())) resolve()
      }),
    )
  })
  await opened.page.goto('/me/profile')
  await listens
  agent.ws.terminate()
  await sql`update edge_presence set is_online = false, offline_since = now() - interval '2 minutes'
    where edge_id = ${edgeId}`.execute(server.db)
  await expectPage(opened.page.getByText('Hall 3 is offline')).toBeVisible()
})
