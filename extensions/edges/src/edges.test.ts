import type { Locator } from '@playwright/test'
import { edgeEndpoints, edgeEnrolmentEndpoints, edgeInstanceEndpoints } from '@pult/contract'
import { connectAgent, someReport, type VirtualAgent } from '@pult/server/edges/testing/virtual-agent.ts'
import {
  expectPage,
  type GivenPerson,
  inWaves,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

let owner: GivenPerson
let projectId: string
/** Calls the API directly. Other accounts open the console, because it soon replaces their token. */
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

/** Returns the number of lines of the first text. */
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
const edges = ({ page }: OpenedConsole) => page.getByRole('grid', { name: 'Edges' })
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
  // Sends reports while the connection is open.
  const timer = setInterval(() => agent.isOpen() && agent.report(report), 4000)
  void agent.closed.then(() => clearInterval(timer))
  return agent
}

const running = { key: 'player', label: 'Player', state: 'running', canRestart: true } as const

test('DEC-51 CRUD-01 the address create opens the enrolment; a new edge shows a command to copy, and waits until its agent connects', async () => {
  const opened = await openConsole(server, { as: owner, path: '/app/edges/create' })
  await expectPage(dialog(opened).getByLabel('Name')).toBeFocused()
  await opened.page.keyboard.press('Escape')
  await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === '/app/edges')
  await expectPage(main(opened).getByText('No edges yet')).toBeVisible()
  await opened.expectAccessible()
  await expectPage(button(opened, 'Add an edge')).toBeVisible()
  await opened.page.goto('/app/edges/create')
  await dialog(opened).getByRole('button', { name: 'Add an edge' }).click()
  await expectPage(dialog(opened).getByText('Enter a name')).toBeVisible()
  await opened.page.keyboard.type('Hall 3')
  await opened.page.keyboard.press('Enter')
  const command = await dialog(opened).getByLabel('Command').inputValue()
  expect(command.replace(/[\s\\]+/g, ' ')).toContain(
    `${server.url}/api/edges/edge-agent.mjs && node edge-agent.mjs --server ${server.url} --code `,
  )
  await expectPage(dialog(opened).getByText('Waiting for the agent …')).toBeVisible()
  await expectPage(dialog(opened).getByText('points to the machine that opens it')).toBeVisible()
  await opened.expectAccessible()
  for (const [mode, part] of [
    ['Linux service', 'systemctl enable pult-edge'],
    ['Container', 'node:24'],
    ['Try it now', 'node edge-agent.mjs'],
  ] as const) {
    await dialog(opened).getByRole('radio', { name: mode }).click()
    const field = dialog(opened).getByLabel('Command')
    await expectPage(field).toHaveValue(new RegExp(part))
    // Long lines wrap instead of being cut off.
    expect(await field.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  }
  const token = await redeem(command.split(' ').at(-1) ?? '')
  await start(token)
  await expectPage(dialog(opened).getByText('Hall 3 is online')).toBeVisible()
  await dialog(opened).getByRole('button', { name: 'Open the edge' }).click()
  await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Hall 3' })).toBeVisible()
  await expectPage(main(opened).getByText('192.168.1.20')).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('the menu of an edge without an agent offers a new command, and the dialog stays when the agent connects', async () => {
  const { body } = await colleague.call(edgeEndpoints.enrol, {
    params: { projectId },
    body: { label: 'Hall 3' },
  })
  server.watchSecret(body.code)
  const opened = await openConsole(server, { as: owner, path: '/app/edges' })
  await button(opened, 'Actions of Hall 3').click()
  await opened.page.getByRole('menuitem', { name: 'New command' }).click()
  const command = await dialog(opened).getByLabel('Command').inputValue()
  await start(await redeem(command.split(' ').at(-1) ?? ''))
  await expectPage(dialog(opened).getByText('Hall 3 is online')).toBeVisible()
  await dialog(opened).getByRole('button', { name: 'Close', exact: true }).first().click()
  await button(opened, 'Actions of Hall 3').click()
  await expectPage(opened.page.getByRole('menuitem', { name: 'Run diagnostics' })).toBeVisible()
  await expectPage(opened.page.getByRole('menuitem', { name: 'New command' })).toHaveCount(0)
  expect(opened.complaints).toEqual([])
})

test('ROUTE-10 the list shows a connecting edge without a reload, is searched by key:value, and offers a viewer no action', async () => {
  const { token } = await enrol('Hall 3')
  await enrol('Truck')
  const opened = await openConsole(server, { as: viewer, path: '/app/edges' })
  const row = edges(opened).getByRole('row', { name: /Hall 3/ })
  await expectPage(row.getByText('Waiting')).toBeVisible()
  for (const name of ['Add an edge', 'Actions of Hall 3'])
    await expectPage(button(opened, name)).toHaveCount(0)
  await start(token)
  await expectPage(row.getByText('Online')).toBeVisible()
  await expectPage(row.getByRole('meter', { name: 'Disk: Hall 3' })).toHaveAttribute('aria-valuetext', '38 %')
  await opened.page.getByRole('searchbox', { name: 'Search edges' }).fill('state:online')
  await expectPage(edges(opened).getByRole('row')).toHaveCount(2)
  await expectPage(opened.page).toHaveURL(/\/app\/edges\?search=state%3Aonline&project=/)
  await opened.page.getByRole('searchbox', { name: 'Search edges' }).fill('label:tr')
  await expectPage(edges(opened).getByRole('link', { name: 'Truck' })).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('chips with counts filter by state, column headers sort, and reload and back restore both', async () => {
  const { token } = await enrol('Hall 3')
  const away = await enrol('Gate')
  await enrol('Truck')
  await start(token, someReport({ load: [2, 2, 2] }))
  await start(away.token)
  await expectPage
    .poll(async () => {
      const { body } = await colleague.call(edgeEndpoints.list, { params: { projectId } })
      return body.counts
    })
    .toMatchObject({ online: 2, waiting: 1 })
  const opened = await openConsole(server, { as: viewer, path: '/app/edges' })
  const { page } = opened
  const chip = (name: string) => main(opened).getByRole('button', { name, exact: true })
  const links = () => edges(opened).getByRole('link').allTextContents()
  await expectPage(chip('Online 2')).toBeVisible()
  await expectPage(chip('Offline 0')).toHaveCount(0)
  await chip('Waiting 1').click()
  await expectPage.poll(links).toEqual(['Truck'])
  // The counts still include all states.
  await expectPage(chip('Online 2')).toHaveAttribute('aria-pressed', 'false')
  await chip('Online 2').click()
  await edges(opened).getByRole('columnheader', { name: 'Load' }).getByRole('button').click()
  await expectPage.poll(links).toEqual(['Hall 3', 'Gate'])
  await expectPage(page).toHaveURL(/state=online&sort=-load/)

  await page.reload()
  await expectPage.poll(links).toEqual(['Hall 3', 'Gate'])
  const head = edges(opened).getByRole('columnheader', { name: 'Load' })
  await expectPage(head).toHaveAttribute('aria-sort', 'descending')
  await edges(opened).getByRole('link', { name: 'Gate' }).click()
  await expectPage(page.getByRole('heading', { level: 1, name: 'Gate' })).toBeFocused()
  await page.goBack()
  await expectPage(chip('Online 2')).toHaveAttribute('aria-pressed', 'true')
  await chip('Online 2').click()
  await expectPage.poll(links).toHaveLength(3)

  await main(opened).getByRole('button', { name: 'How to search' }).click()
  await opened.expectAccessible()
  await dialog(opened).getByRole('button', { name: 'version:' }).click()
  const search = page.getByRole('searchbox', { name: 'Search edges' })
  await expectPage(search).toBeFocused()
  await expectPage(search).toHaveValue('version:')
  await search.fill('nowhere')
  await main(opened).getByRole('button', { name: 'Clear filters' }).click()
  await expectPage.poll(links).toHaveLength(3)
  expect(opened.complaints).toEqual([])
})

test('selected edges are diagnosed or restarted together, and offline edges are skipped', async () => {
  const { token } = await enrol('Hall 3')
  await enrol('Truck')
  const agent = await start(token)
  const opened = await openConsole(server, { as: owner, path: '/app/edges' })
  await expectPage(edges(opened).getByText('Online')).toBeVisible()
  await edges(opened).getByRole('checkbox', { name: 'Edges' }).check()
  const bar = opened.page.getByRole('toolbar', { name: '2 selected' })
  await expectPage(bar).toContainText('1 is not online and is left out')
  await opened.expectAccessible()
  await bar.getByRole('button', { name: 'Restart agent' }).click()
  await question(opened).getByRole('button', { name: 'Restart', exact: true }).click()
  await expectPage(opened.page.getByText('Hall 3 is restarting')).toBeVisible()
  expect(agent.isOpen()).toBe(true)
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expectPage(bar).toHaveCount(0)
  expect(opened.complaints).toEqual([])
})

test('GetDKAN/dkan#2230 stashapp/stash#325 a selection goes over pages and can have all edges, and more than a job may have need a group', async () => {
  await sql`
    insert into edge (id, project_id, label, code_hash)
    select id, ${projectId}::uuid, 'Box ' || n, sha256(id::text::bytea)
    from (select gen_random_uuid() as id, n from generate_series(1, 1001) n) made`.execute(server.db)
  const opened = await openConsole(server, { as: owner, path: '/app/edges' })
  const { page } = opened
  const tick = (name: string) => edges(opened).getByRole('checkbox', { name, exact: true }).click()
  const bar = page.getByRole('toolbar')
  await tick('Box 1')
  await tick('Box 2')
  await button(opened, 'Next page').click()
  await tick('Box 201')
  await expectPage(bar).toHaveAccessibleName('3 selected, 2 not on this page')
  await expectPage(bar).not.toContainText('needs a group')
  await bar.getByRole('button', { name: 'Tags' }).click()
  await expectPage(dialog(opened)).toHaveAccessibleName('Tags of 3 edges')
  await page.keyboard.press('Escape')

  await bar.getByRole('button', { name: /^Select all 1[.,]001$/ }).click()
  await expectPage(bar).toHaveAccessibleName('1001 selected, 801 not on this page')
  await expectPage(bar).toContainText(/A job for more than 1[.,]000 edges needs a group/)
  await expectPage(bar.getByRole('button', { name: 'Run a job' })).toBeDisabled()
  await expectPage(bar.getByRole('button', { name: /^Select all/ })).toHaveCount(0)
  await opened.expectAccessible()
  await bar.getByRole('button', { name: 'Tags' }).click()
  await dialog(opened).getByRole('textbox', { name: 'Add tags' }).fill('Hall')
  await page.keyboard.press('Enter')
  await dialog(opened).getByRole('button', { name: 'Save', exact: true }).click()
  await expectPage(page.getByText(/^Tags of 1[.,]001 edges changed$/)).toBeVisible()
  const tagged =
    await sql`select from edge where project_id = ${projectId}::uuid and tags = '{Hall}'`.execute(server.db)
  expect(tagged.rows).toHaveLength(1001)
  await tick('Box 201')
  await expectPage(bar).toHaveAccessibleName('1000 selected, 801 not on this page')
  await expectPage(bar.getByRole('button', { name: 'Run a job' })).toBeEnabled()
  expect(opened.complaints).toEqual([])
})

test('ansible/awx#7509 all edges of a search can be selected beside as many others, until one of them is deselected', async () => {
  await sql`
    insert into edge (id, project_id, label, code_hash)
    select id, ${projectId}::uuid, kind || ' ' || n, sha256(id::text::bytea)
    from (
      select gen_random_uuid() as id, kind, n from generate_series(1, 201) n, unnest(array['Box', 'Crate']) kind
    ) made`.execute(server.db)
  const opened = await openConsole(server, { as: owner, path: '/app/edges?search=box' })
  const bar = opened.page.getByRole('toolbar')
  const all = edges(opened).getByRole('checkbox', { name: 'Edges', exact: true })
  const selectAll = bar.getByRole('button', { name: 'Select all 201' })
  await all.check()
  await selectAll.click()
  await expectPage(bar).toHaveAccessibleName('201 selected, 1 not on this page')
  await expectPage(selectAll).toHaveCount(0)

  await main(opened).getByRole('searchbox').fill('crate')
  await expectPage(bar).toHaveAccessibleName('201 selected, 201 not on this page')
  await selectAll.click()
  await expectPage(bar).toHaveAccessibleName('402 selected, 202 not on this page')
  await expectPage(selectAll).toHaveCount(0)
  await all.uncheck()
  await expectPage(bar).toHaveAccessibleName('202 selected, 202 not on this page')
  await expectPage(selectAll).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('API-20 EDGE-01 an instance is assigned to another project, renamed and deleted', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  await start(token, someReport({ instances: [running] }))
  const { projectId: tour } = await given.project(owner, { label: 'Tour' })
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  const table = opened.page.getByRole('table', { name: 'Instances' })
  await expectPage(table.getByText('Running')).toBeVisible()
  await table.getByLabel('Project that uses Player').selectOption('Tour')
  await expectPage(opened.page.getByText('Player is now used by Tour')).toBeVisible()
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

test('diagnostics and a restart run as tasks with a live log', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  const agent = await start(token, someReport({ instances: [running] }))
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  await button(opened, 'Run diagnostics').click()
  const commands = () => agent.messages.flatMap((message) => (message.type === 'command' ? [message] : []))
  await expect.poll(() => commands().length).toBe(1)
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
  await expect.poll(() => commands().length).toBe(2)
  expect(commands()[1]?.command).toEqual({ name: 'restart-instance', key: 'player' })
  answer(commands()[1]?.id ?? '', [], { ok: false, error: 'Player was not restarted: it exited with code 1' })
  await expectPage(main(opened).getByText('Player was not restarted: it exited with code 1')).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('the page of an edge offers its commands once its values have loaded; a press survives a layout shift but not a moved pointer', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  const agent = await start(token)
  const opened = await openConsole(server, { as: owner, path: null })
  const { page } = opened
  const released = Promise.withResolvers<void>()
  await page.route(/\/values\?/, async (route) => {
    await released.promise
    await route.continue()
  })
  const edgeArrived = page.waitForResponse((response) => response.url().endsWith(`/edges/${edgeId}`))
  await page.goto(`/app/edges/edit/${edgeId}`)
  await edgeArrived
  await expectPage(main(opened).locator('[aria-busy=true]').first()).toBeVisible()
  await expectPage(button(opened, 'Run diagnostics')).toHaveCount(0)
  released.resolve()
  await expectPage(button(opened, 'Run diagnostics')).toBeVisible()

  const { mouse } = opened.page
  const commands = () => agent.messages.flatMap((message) => (message.type === 'command' ? [message] : []))
  const shift = (pixels: number) =>
    main(opened).evaluate((element, px) => void (element.style.paddingBlockStart = `${px}px`), pixels)
  await button(opened, 'Restart agent').hover()
  await mouse.down()
  await mouse.move(0, 0)
  await mouse.up()
  await button(opened, 'Run diagnostics').hover()
  await mouse.down()
  await shift(200)
  await mouse.up()
  await expect.poll(() => commands().length).toBe(1)
  expect(commands()[0]?.command).toEqual({ name: 'diagnostics' })
})

test('a user moves an edge to another project', async () => {
  const { edgeId } = await enrol('Hall 3')
  const { projectId: tour } = await given.project(owner, { label: 'Tour', products: ['project', 'edges'] })
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  await button(opened, 'Move to another project').click()
  const move = dialog(opened).getByRole('button', { name: 'Move to another project' })
  await expectPage(move).toBeDisabled()
  await dialog(opened).getByRole('combobox', { name: 'Project' }).selectOption('Tour')
  await expectPage(dialog(opened).getByRole('searchbox', { name: 'Find another project' })).toHaveCount(0)
  await opened.expectAccessible()
  await move.click()
  await expectPage(opened.page.getByText('Hall 3 moved to Tour')).toBeVisible()
  await expectPage(main(opened).getByText('No edges yet')).toBeVisible()
  expect(await owner.call(edgeEndpoints.read, { params: { projectId: tour, edgeId } })).toSucceed()
})

test('oxidecomputer/console#3359 a user with more projects than a choice has finds each of them for a program and for an edge', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  await start(token, someReport({ instances: [running] }))
  await inWaves(205, (index) =>
    given.project(owner, { label: `Site ${index + 100}`, products: ['project', 'edges'] }),
  )
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  const usedBy = opened.page.getByLabel('Project that uses Player')
  const project = dialog(opened).getByRole('combobox', { name: 'Project' })
  const find = dialog(opened).getByRole('searchbox', { name: 'Find another project' })
  await expectPage(usedBy.getByRole('option', { name: 'Site 150' })).toBeAttached()
  await expectPage(usedBy.getByRole('option', { name: 'Site 303' })).toHaveCount(0)
  await usedBy.selectOption('More projects …')
  await expectPage(dialog(opened).getByRole('button', { name: 'Save' })).toBeDisabled()
  await find.fill('site 303')
  await project.selectOption('Site 303')
  // Enter in the search does not submit the dialog, and a chosen project stays in the choice during a search.
  await find.press('Enter')
  await find.fill('site 304')
  await expectPage(project.getByRole('option')).toHaveText(['Choose a project', 'Site 303', 'Site 304'])
  await expectPage(project.locator('option:checked')).toHaveText('Site 303')
  await opened.expectAccessible()
  await dialog(opened).getByRole('button', { name: 'Save' }).click()
  await expectPage(opened.page.getByText('Player is now used by Site 303')).toBeVisible()
  await expectPage(usedBy.locator('option:checked')).toHaveText('Site 303')

  await button(opened, 'Move to another project').click()
  await find.fill('site 304')
  await project.selectOption('Site 304')
  await dialog(opened).getByRole('button', { name: 'Move to another project' }).click()
  await expectPage(opened.page.getByText('Hall 3 moved to Site 304')).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('a user whose only project is this one cannot move an edge, and a failed list of projects has its reason', async () => {
  const { edgeId } = await enrol('Hall 3')
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  await button(opened, 'Move to another project').click()
  await expectPage(dialog(opened).getByText('You cannot edit any other project.')).toBeVisible()
  await opened.page.route(/\/api\/projects\?.*limit=200/, (route) =>
    route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }),
  )
  await opened.page.reload()
  await button(opened, 'Move to another project').click()
  await expectPage(dialog(opened).getByRole('combobox', { name: 'Project' })).toHaveAccessibleDescription(
    /The projects could not be loaded: Access denied/,
  )
})

test('DEC-51 DEC-20 an old address of an edge redirects to edit; revoking and deleting it ask for confirmation, by keyboard', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  const agent = await start(token)
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === `/app/edges/edit/${edgeId}`)
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
  await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === '/app/edges')
  await expectPage(main(opened).getByText('No edges yet')).toBeVisible()
})

test('a viewer of edges sees no action, and an unknown address shows not found', async () => {
  const { edgeId, token } = await enrol('Hall 3')
  await start(token, someReport({ instances: [running] }))
  const opened = await openConsole(server, { as: viewer, path: `/app/edges/${edgeId}` })
  await expectPage(opened.page.getByRole('table', { name: 'Instances' })).toContainText('Player')
  for (const name of [
    'Run diagnostics',
    'Restart agent',
    'Add an instance',
    'Rename Player',
    'Move to another project',
    'Revoke',
    'Delete edge',
  ])
    await expectPage(button(opened, name)).toHaveCount(0)
  await expectPage(main(opened).getByRole('combobox')).toHaveCount(0)
  await opened.page.goto('/app/edges/018f0000-0000-7000-8000-000000000000')
  await expectPage(main(opened).getByText('This edge does not exist')).toBeVisible()
})

test('list and detail have no axe findings in each theme and width', async () => {
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
  const opened = await openConsole(server, { as: owner, path: '/app/edges' })
  await expectPage(edges(opened).getByText('Online')).toBeVisible()
  await opened.expectAccessibleInLooks()
  // The row's actions are visible without horizontal scrolling, even with the column of decks.
  for (const width of [390, 1280]) {
    await opened.page.setViewportSize({ width, height: 900 })
    const beyond = () =>
      edges(opened).evaluate((grid) => grid.scrollWidth - (grid.parentElement?.clientWidth ?? 0))
    await expect.poll(beyond, { message: `${width} px` }).toBeLessThanOrEqual(0)
  }
  await edges(opened).getByRole('link', { name: 'Hall 3' }).click()
  await expectPage(main(opened).getByLabel('Brightness of Stream Deck MK.2')).toBeVisible()
  await opened.expectAccessibleInLooks()
})

test('no name of an instance breaks within a word at any width', async () => {
  // The select would be as wide as its longest project name.
  await given.project(owner, { label: 'Festspielhaus Obermaschinerie und Unterbühne, Nebenspielstätte' })
  const { edgeId, token } = await enrol('Hall 3')
  await start(token, someReport({ instances: [{ ...running, label: 'Fahrtenschreiber' }] }))
  const opened = await openConsole(server, { as: owner, path: `/app/edges/${edgeId}` })
  for (const width of [1280, 820, 390]) {
    await opened.page.setViewportSize({ width, height: 900 })
    await expectPage(main(opened).getByRole('rowheader', { name: 'Fahrtenschreiber' })).toBeVisible()
    const lines = () => linesOf(main(opened).getByRole('rowheader').locator('span').first())
    await expect.poll(lines, { message: `${width} px` }).toBe(1)
  }
})

test('an edge that stays offline is announced on every page of the console', async () => {
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
  // Sets another connection id, so that the server ignores a report in progress.
  await sql`update edge_presence set is_online = false, offline_since = now() - interval '2 minutes',
    connection = gen_random_uuid() where edge_id = ${edgeId}`.execute(server.db)
  await expectPage(opened.page.getByText('Hall 3 is offline')).toBeVisible()
  await opened.page.getByRole('button', { name: 'Show edges' }).click()
  await expectPage(edges(opened)).toContainText('Hall 3')
  await expectPage(opened.page).toHaveURL(`/app/edges?state=offline&project=${projectId}`)
})

test('markup in the words of an agent and of a user is text in the console', async () => {
  const markup = '<img src=x onerror=x()>'
  const { edgeId, token } = await enrol(markup)
  await start(token, someReport({ hostname: markup, instances: [{ ...running, label: markup }] }))
  const opened = await openConsole(server, { as: owner, path: '/app/edges' })
  await expectPage(edges(opened).getByRole('link', { name: markup })).toBeVisible()
  await opened.page.goto(`/app/edges/edit/${edgeId}`)
  await expectPage(opened.page.getByRole('heading', { level: 1, name: markup })).toBeVisible()
  await expectPage(main(opened).getByRole('rowheader', { name: markup })).toBeVisible()
  await expectPage(opened.page.locator('img[src=x]')).toHaveCount(0)
  expect(opened.complaints).toEqual([])
})
