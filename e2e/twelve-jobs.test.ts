import type { Page } from '@playwright/test'
import { edgeEndpoints, edgeEnrolmentEndpoints, projectEndpoints } from '@pult/contract'
import { connectAgent, someReport, type VirtualAgent } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, type GivenPerson, testServer, workerBrowser } from '@pult/testkit'
import { sql } from 'kysely'
import sharp from 'sharp'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'

/*
 * The most common jobs by mouse, from home, with their number of clicks. All of them use one console. The job "first
 * edge online" is in first-edge.test.ts.
 */

const server = await testServer({ withConsole: true })
const { given } = server

let olga: GivenPerson
/** Root makes the calls, because Olga's console renews her token. */
let root: GivenPerson
let harbour: string
let quay: string
let page: Page
let agent: VirtualAgent
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Opens a console in a separate context and counts mouse clicks. */
async function openCounting(as: { token: string }): Promise<Page> {
  const browser = await workerBrowser()
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  ends.push(() => context.close())
  const opened = await context.newPage()
  await opened.addInitScript((token) => {
    if (localStorage.getItem('pult.token') === null) localStorage.setItem('pult.token', token)
    // Clicks by keyboard have no detail.
    const count = ({ isTrusted, detail }: MouseEvent) => {
      if (!isTrusted || detail === 0) return
      sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1))
    }
    addEventListener('click', count, true)
  }, as.token)
  return opened
}

/** Opens home and resets the number of clicks. */
async function atHome(of = page): Promise<void> {
  await of.goto('/')
  await expectPage(of.getByRole('main').getByRole('heading').first()).toBeVisible()
  // Keyboard shortcuts work after the boot screen.
  await of.locator('.boot-steps').waitFor({ state: 'detached' })
  await of.evaluate(() => sessionStorage.setItem('clicks', '0'))
}
const clicks = (of = page) => of.evaluate(() => Number(sessionStorage.getItem('clicks')))

async function inPalette(text: string, of = page): Promise<void> {
  await of.keyboard.press('Control+k')
  await of.getByRole('combobox').fill(text)
}

/** Adds an edge to the harbour, whose agent reports until the end of the tests. */
async function startAgent(label: string): Promise<VirtualAgent> {
  const { body } = await root.call(edgeEndpoints.enrol, { params: { projectId: harbour }, body: { label } })
  server.watchSecret(body.code)
  const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } })).body
  server.watchSecret(token)
  const started = await connectAgent(server.url, { token })
  started.report(someReport())
  const timer = setInterval(() => started.isOpen() && started.report(someReport()), 4000)
  ends.push(() => {
    clearInterval(timer)
    started.ws.terminate()
  })
  return started
}

/** Adds an edge that has been offline for an hour. */
async function addOffline(projectId: string, label: string): Promise<void> {
  const id = uuidv7()
  await sql`
    insert into edge (id, project_id, label, token_hash)
    values (${id}, ${projectId}, ${label}, sha256(${id}::text::bytea))`.execute(server.db)
  await sql`
    insert into edge_presence (edge_id, connection, run, version, is_online, seen_at, offline_since, report)
    values (${id}, ${id}, ${id}, '1', false, now(), now() - interval '1 hour', ${JSON.stringify(someReport())})`.execute(
    server.db,
  )
}

beforeAll(async () => {
  olga = await given.person({ firstname: 'Olga' })
  root = await given.person({ isRoot: true })
  const products = ['project', 'edges', 'media-library']
  harbour = (await given.project(olga, { label: 'Hafen', products })).projectId
  quay = (await given.project(olga, { label: 'Kai', products })).projectId
  await given.project(olga, { label: 'Messe', products })
  agent = await startAgent('Kabelwagen')
  await addOffline(quay, 'Portalkran 4')
  await server.db
    .insertInto('task')
    .values({
      id: uuidv7(),
      project_id: harbour,
      type: 'export',
      kind: 'info',
      title: 'Export of the night',
      state: 'rejected',
      created_by: olga.personId,
      lease_for: '1 hour',
      lease_until: sql<Date>`now()`,
      deadline_at: sql<Date>`now() + interval '1 hour'`,
      fulfilled_at: sql<Date>`now()`,
    })
    .execute()
  page = await openCounting({ token: olga.token })
  await page.addInitScript((id) => {
    if (localStorage.getItem('pult.activeProjectId') === null)
      localStorage.setItem('pult.activeProjectId', id)
  }, harbour)
})

const main = () => page.getByRole('main')

test('home shows an offline machine of another project and a failed task without a click', async () => {
  await atHome()
  await expectPage(main().getByRole('list', { name: 'Problems' })).toContainText('Export of the night')
  const elsewhere = main().getByRole('list', { name: 'In other projects' }).getByRole('listitem')
  await expectPage(elsewhere).toHaveText([/Portalkran 4.*Kai/])
  expect(await clicks()).toBe(0)
})

test('restarting an agent takes one click in the palette', async () => {
  await atHome()
  await inPalette('Restart Kabelwagen')
  await page.getByRole('option', { name: /Restart agent.*Kabelwagen/ }).click()
  await expect
    .poll(() => agent.messages)
    .toContainEqual(expect.objectContaining({ type: 'command', command: { name: 'restart' } }))
  expect(await clicks()).toBe(1)
})

test('restarting an agent takes one click in the row of its edge', async () => {
  const before = agent.messages.length
  await page.goto('/app/edges')
  const row = main().getByRole('row', { name: 'Kabelwagen' })
  await expectPage(row.getByText('Online')).toBeVisible()
  await page.evaluate(() => sessionStorage.setItem('clicks', '0'))
  await row.getByRole('button', { name: 'Restart agent of Kabelwagen' }).click()
  await expect
    .poll(() => agent.messages.slice(before))
    .toContainEqual(expect.objectContaining({ type: 'command', command: { name: 'restart' } }))
  expect(await clicks()).toBe(1)
})

test('switching the project takes two clicks', async () => {
  await atHome()
  await page.getByRole('button', { name: /Active project/ }).click()
  await page.getByRole('option', { name: /Messe/ }).click()
  await expectPage(main().getByRole('heading', { level: 1 })).toHaveText('Messe')
  expect(await clicks()).toBe(2)
  await page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), harbour)
})

test('inviting a person takes at most three clicks', async () => {
  await atHome()
  await main().getByRole('link', { name: 'Invite' }).click()
  await expectPage(page.getByLabel('E-mail address')).toBeFocused()
  await page.keyboard.type('ingrid@example.org')
  await main().getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(main().getByRole('row').filter({ hasText: 'ingrid@example.org' })).toContainText('Viewer')
  expect(await clicks()).toBeLessThanOrEqual(3)
})

test('uploading a picture takes one click and a drop', async () => {
  await atHome()
  await page.getByRole('navigation').getByRole('link', { name: 'Media Library' }).click()
  await expectPage(main().getByRole('heading', { level: 1, name: 'Media Library' })).toBeVisible()
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0b6470' } })
    .png()
    .toBuffer()
  const files = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], 'Kran.png', { type: 'image/png' }))
      return transfer
    },
    [...picture],
  )
  for (const type of ['dragenter', 'drop'])
    await main().getByText('No media yet').dispatchEvent(type, { dataTransfer: files })
  await expectPage(main().getByRole('list', { name: 'Media' }).getByRole('link')).toHaveText(/Kran/)
  expect(await clicks()).toBe(1)
})

test('ending all other sessions takes three clicks', async () => {
  await olga.login()
  await atHome()
  await inPalette('Sessions')
  await page.getByRole('option', { name: /^Sessions/ }).click()
  await main().getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await expectPage(page.getByRole('region', { name: 'Notifications' })).toBeVisible()
  expect(await clicks()).toBe(3)
})

test('home prompts for a second factor until it is declined, and leads to it with one click', async () => {
  await atHome()
  const prompt = main().getByRole('link', { name: 'Turn on second factor' })
  await prompt.click()
  await expectPage(page).toHaveURL(({ pathname }) => pathname === '/me/otp')
  await main().getByRole('button', { name: 'Enable OTP' }).click()
  await expectPage(main().getByText('Scan the QR code')).toBeVisible()
  expect(await clicks()).toBe(2)
  await atHome()
  await main().getByRole('button', { name: 'Not now' }).click()
  await expectPage(prompt).toHaveCount(0)
  await atHome()
  await expectPage(main().getByRole('list', { name: 'In other projects' })).toBeVisible()
  await expectPage(prompt).toHaveCount(0)
})

test('assigning an action to a key of a deck takes five clicks', async () => {
  await atHome()
  await page.getByRole('navigation').getByRole('link', { name: 'Device settings' }).click()
  await page.getByRole('button', { name: 'Key 1', exact: true }).click()
  await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Start a task' })
  await expectPage(page.getByText('Saved', { exact: true })).toBeVisible()
  // The driver selects without the two clicks that open and close the list.
  expect((await clicks()) + 2).toBeLessThanOrEqual(5)
})

test('creating the first project takes two clicks', async () => {
  const nova = await given.person()
  const hers = await openCounting({ token: nova.token })
  await atHome(hers)
  await hers.getByRole('main').getByRole('link', { name: 'Create project' }).click()
  await expectPage(hers.getByLabel('Label')).toBeFocused()
  await hers.keyboard.type('Hafen')
  await hers.getByRole('button', { name: 'Save' }).click()
  await expectPage(hers.getByRole('main').getByRole('heading', { level: 1 })).toHaveText('Hafen')
  expect(await clicks(hers)).toBe(2)
})

test('root gives a person three roles in one form', async () => {
  const ruth = await given.person({ isRoot: true })
  const vera = await given.person({ firstname: 'Vera', lastname: 'Volt' })
  const { projectId } = await given.project(olga, {
    products: ['project', 'edges', 'media-library'],
    grants: [{ person: vera, productRole: 'project/viewer' }],
  })
  const his = await openCounting({ token: ruth.token })
  await his.goto(`/app/project-details/people?project=${projectId}`)
  await his.getByRole('button', { name: 'Edit roles of Vera Volt' }).click()
  const form = his.getByRole('dialog', { name: 'Roles of Vera Volt' })
  for (const product of ['Edges', 'Media Library'])
    await form.getByRole('group', { name: product }).getByRole('checkbox').first().click()
  await form.getByRole('button', { name: 'Save roles' }).click()
  await expect
    .poll(async () => (await root.call(projectEndpoints.read, { params: { projectId } })).body.grants)
    .toHaveLength(3)
})
