import { edgeEndpoints, edgeEnrolmentEndpoints } from '@pult/contract'
import { connectAgent } from '@pult/server/edges/testing/virtual-agent.ts'
import { createSampleRepository } from '@pult/server/edges/values/sample.repository.ts'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given, db } = server

test('the page of an edge shows its values over time, its outages, its events and figures for screen readers, and keeps the values when they cannot be read again', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const { body } = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 3' } })
  server.watchSecret(body.code)
  const edgeId = body.edge._id
  // The page shows values only after the enrolment.
  const redeemed = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } })
  server.watchSecret(redeemed.body.token)
  const repository = createSampleRepository(db)
  const series = await repository.seriesOf([
    { edgeId, key: 'load', unit: '%' },
    { edgeId, key: 'kiln.a', unit: '°C' },
    { edgeId, key: 'programs', unit: '' },
  ])
  const idOf = (key: string) => series.find((one) => one.key === key)?.id ?? 0
  const now = Math.floor(Date.now() / 60_000) * 60_000
  await repository.write(
    Array.from({ length: 20 }, (_, index) => ({
      edgeId,
      at: now - (index + 2) * 60_000,
      ticks: new Map([
        [
          0,
          new Map([
            [idOf('load'), 40],
            [idOf('kiln.a'), 900],
            [idOf('programs'), 1],
          ]),
        ],
      ]),
    })),
  )
  await db
    .insertInto('edge_outage')
    .values({ edge_id: edgeId, begins: new Date(now - 40 * 60_000), ends: new Date(now - 30 * 60_000) })
    .execute()

  const { page } = await openConsole(server, { as: owner, path: null })
  await page.clock.install()
  await page.goto(`/app/edges/${edgeId}`)
  await expectPage(page.getByRole('slider', { name: 'Load of Hall 3, 24 h' })).toBeVisible()
  await expectPage(page.getByRole('slider', { name: 'kiln.a of Hall 3, 24 h' })).toBeVisible()
  const programs = page.getByRole('slider', { name: 'Programs running of Hall 3, 24 h' })
  // There are no parts of a program.
  await expectPage(programs.locator('text[text-anchor=end]')).toHaveText(['0', '1'])
  await expectPage(page.getByText(/^1 outage\. The last one: /)).toBeVisible()
  await expectPage(page.getByText(/^Reachable \d\d/)).toBeVisible()
  await expectPage(page.getByRole('table', { name: 'Load of Hall 3, 24 h' })).toContainText('40\u202F%')
  const events = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
  await expectPage(events).toContainText([/Added · by /, /Back online · offline for /, /Offline/])

  await page.route(/\/edges\/[^/]+\/values/, (route) =>
    route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }),
  )
  await page.clock.fastForward('01:00')
  await expectPage(page.getByText(/^As of .*could not be read again/)).toBeVisible()
  await expectPage(page.getByRole('slider', { name: 'Load of Hall 3, 24 h' })).toBeVisible()
  await page.unroute(/\/edges\/[^/]+\/values/)

  await page.getByText('1 h', { exact: true }).click()
  await expectPage(page.getByRole('slider', { name: 'Load of Hall 3, 1 h' })).toBeVisible()
  await expectPage(page).toHaveURL(({ searchParams }) => searchParams.get('range') === '1h')
})

test('the list shows the last day of each edge and reads all edges in one call', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const repository = createSampleRepository(db)
  const now = Math.floor(Date.now() / 60_000) * 60_000
  const agents = []
  for (const [label, load] of [
    ['Hall 3', 40],
    ['Hall 4', 60],
  ] as const) {
    const { body } = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
    server.watchSecret(body.code)
    const { token } = (await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } })).body
    server.watchSecret(token)
    const agent = await connectAgent(server.url, { token })
    agents.push(agent)
    agent.report()
    const edgeId = body.edge._id
    const [series] = await repository.seriesOf([{ edgeId, key: 'load', unit: '%' }])
    await repository.write(
      Array.from({ length: 180 }, (_, index) => ({
        edgeId,
        at: now - (index + 2) * 60_000,
        ticks: new Map([[0, new Map([[series?.id ?? 0, load]])]]),
      })),
    )
  }
  // An edge that comes online while the page is open would trigger another call.
  const online = async () =>
    (await owner.call(edgeEndpoints.list, { params: { projectId } })).body.counts?.online
  await expect.poll(online).toBe(2)
  try {
    const { page } = await openConsole(server, { as: owner, path: '/' })
    const courseCalls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/edge-courses')) courseCalls.push(request.url())
    })
    await page.getByRole('navigation').getByRole('link', { name: 'Edges' }).first().click()
    const row = (name: string) => page.getByRole('row', { name })
    await expectPage(row('Hall 3').getByRole('img', { name: '24 h: 40 % to 40 %' })).toBeVisible()
    await expectPage(row('Hall 4').getByRole('img', { name: '24 h: 60 % to 60 %' })).toBeVisible()
    expect(courseCalls).toHaveLength(1)
  } finally {
    for (const { ws } of agents) ws.terminate()
  }
})

test('the list shows readers the size of all values, when the quota is reached and what it shortens, and nothing without values', async () => {
  const owner = await given.person()
  const reader = await given.person()
  const { projectId } = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [{ person: reader, productRole: 'edges/viewer' }],
  })
  const { body } = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 3' } })
  server.watchSecret(body.code)
  const { page, complaints, expectAccessible } = await openConsole(server, {
    as: reader,
    path: '/app/edges',
  })
  const main = page.getByRole('main')
  await page.waitForResponse((response) => response.url().endsWith('/edge-values-growth'))
  await expectPage(main.getByRole('link', { name: 'Hall 3' })).toBeVisible()
  await expectPage(main.getByText('Recorded values')).toHaveCount(0)

  // Almost a GB in twelve hours: with the next ones it exceeds the quota of 1 GiB.
  await sql`insert into edge_values_used (project_id, kind, period, bytes)
    values (${projectId}, 'sample', now() - interval '12 hours', 960000000)`.execute(db)
  await page.reload()
  await expectPage(
    main.getByText(
      /^Recorded values: 960 MB of 1[.,]07 GB\. At this rate, the quota is reached in less than a day\. In the long run, the server keeps each sample for 13 hours instead of 1 day\. Let programs report fewer values, or ask root for a larger quota\.$/,
    ),
  ).toBeVisible()
  await expectAccessible()
  await page.evaluate(() => localStorage.setItem('pult.locale', 'de-DE'))
  await page.reload()
  await expectPage(
    main.getByText(
      'Aufgezeichnete Werte: 960 MB von 1,07 GB. Bleibt es dabei, ist die Grenze in weniger als einem Tag erreicht. Auf Dauer bleiben einzelne Messungen 13 Stunden statt 1 Tag erhalten. Lassen Sie Programme weniger Werte melden, oder bitten Sie Root um eine höhere Grenze.',
    ),
  ).toBeVisible()
  expect(complaints).toEqual([])
})
