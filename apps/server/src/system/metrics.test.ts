import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { apiBase } from '@pult/contract'
import { sized, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { findPrometheus, startPrometheus } from './testing/prometheus.ts'

// Nothing listens at the address of its replica.
const server = await testServer({ config: { databaseReplicaUrl: 'postgres://pult@127.0.0.1:1/pult' } })
const metricsPath = `${apiBase}/metrics`

const scrape = async (headers: Record<string, string> = {}, url = server.url) => {
  const answer = await fetch(url + metricsPath, { headers })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

const seriesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

/** Returns the report of promtool, or null where it is not installed. */
const promtool = (text: string) =>
  new Promise<string | null>((resolve) => {
    const run = execFile('promtool', ['check', 'metrics'], (error, out, err) =>
      resolve(error?.code === 'ENOENT' ? null : out + err),
    )
    run.on('error', () => {})
    run.stdin?.on('error', () => {}).end(text)
  })

const operations = join(import.meta.dirname, '../../../../docs/operations')
const alertsFile = join(operations, 'pult-alerts.yml')
const alertCases = join(import.meta.dirname, 'testing/pult-alerts-tests.yml')

/** Returns the value of the series with this name and these labels, as the metrics write them. */
const valueOf = (text: string, series: string) => {
  const line = seriesOf(text).find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

test('the metrics have at most 2,000 series with 5,000 edges and 200 projects, in valid Prometheus text', async () => {
  const ada = await server.given.person()
  const { projectId } = await server.given.project(ada)
  await sql`
    with projects as (
      insert into project (id, label, owner_id)
      select gen_random_uuid(), 'Project ' || n, ${ada.personId}::uuid from generate_series(1, 199) n returning id
    ), made as (
      insert into edge (id, project_id, label, token_hash, updated_by)
      select gen_random_uuid(), p.id, 'Edge ' || n, sha256((p.id::text || n)::bytea), ${ada.personId}::uuid
      from (select id from projects union all select ${projectId}::uuid) p, generate_series(1, 25) n returning id
    )
    insert into edge_presence (edge_id, connection, run, version, is_online, seen_at)
    select id, gen_random_uuid(), gen_random_uuid(), '2.4.0', true, now() from made`.execute(server.db)
  for (const { method, url } of server.app.http.routeTable.map(({ endpoint }) => ({
    method: endpoint.method,
    url: apiBase + endpoint.path.replace(/:\w+/g, 'x'),
  })))
    await server.app.http.inject({ method, url })

  const startedAt = performance.now()
  const { status, type, text } = await scrape()
  const milliseconds = performance.now() - startedAt
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(seriesOf(text).length).toBeLessThan(2000)
  expect(text).toContain('pult_edges{state="online"} 5000')
  expect(text).not.toContain(projectId)
  for (const name of [
    'pult_http_requests_total',
    'pult_http_request_duration_seconds_bucket',
    'pult_http_route_duration_seconds_bucket',
    'pult_database_pool_connections',
    'pult_event_lag_seconds',
    'pult_sockets',
    'pult_jobs',
    'pult_tasks',
    'pult_mails',
    'pult_password_hashes',
    'pult_event_loop_delay_seconds',
    'pult_disk_free_bytes',
    'pult_build_info',
  ])
    expect(
      seriesOf(text).some((line) => line.startsWith(name)),
      name,
    ).toBe(true)
  // A line is a name, labels and a number; each name has help and type above it.
  for (const line of seriesOf(text)) expect(line).toMatch(/^[a-z_]+(\{([a-z]+="[^"]*",?)+\})? -?[0-9.e+-]+$/)
  expect(await promtool(text)).toSatisfy((report) => report === null || report === '')
  expect(milliseconds).toBeLessThan(underLoad(1000))
})

test('each edge counts in one state of the metrics, also while it is connected but does not report', async () => {
  const ada = await server.given.person()
  const { projectId } = await server.given.project(ada)
  await sql`
    with made as (
      insert into edge (id, project_id, label, token_hash, updated_by)
      select gen_random_uuid(), ${projectId}::uuid, 'Silent ' || n, sha256((${projectId}::text || n)::bytea), ${ada.personId}::uuid
      from generate_series(1, 7) n returning id
    )
    insert into edge_presence (edge_id, connection, run, version, is_online, seen_at, contact_at)
    select id, gen_random_uuid(), gen_random_uuid(), '2.4.0', false, now(), now() from made`.execute(
    server.db,
  )
  const { rows } = await sql<{ edges: number }>`select count(*)::int as edges from edge`.execute(server.db)
  const series = seriesOf((await scrape()).text).filter((line) => line.startsWith('pult_edges{'))
  expect(series).toContain('pult_edges{state="offline"} 7')
  expect(series.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)).toBe(rows[0]?.edges)
})

test.each(['pult-alerts.yml', 'pult-dashboard.json'])(
  'each metric of docs/operations/%s exists',
  async (file) => {
    const { text } = await scrape()
    const content = await readFile(join(operations, file), 'utf8')
    const names = [...new Set(content.match(/\bpult_\w+/g))]
    expect(names).not.toEqual([])
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const metricOf = (name: string) => (known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''))
    expect(names.filter((name) => !known.has(metricOf(name)))).toEqual([])
  },
)

test('each alert has a unique name, a condition, a severity and a summary with labels of its condition', async () => {
  const content = await readFile(join(operations, 'pult-alerts.yml'), 'utf8')
  expect(content).toMatch(/^groups:\n {2}- name: pult\n {4}rules:\n/)
  const rules = content.split(/^ {6}- alert: /m).slice(1)
  const rule =
    /^(?<name>Pult[A-Za-z]+)\n {8}expr: (?<expr>.+)\n(?: {8}for: [1-9]\d*[mhd]\n)? {8}labels: \{ severity: (?:warning|critical) \}\n {8}annotations: \{ summary: "(?<summary>[^"]+)" \}\n$/
  const found = rules.map((text) => rule.exec(text)?.groups ?? { name: text, expr: '', summary: '' })
  expect(found.filter(({ expr }) => expr === '')).toEqual([])
  expect(new Set(found.map(({ name }) => name)).size).toBe(rules.length)
  for (const { name, expr = '', summary = '' } of found) {
    expect(expr.split('(').length, name).toBe(expr.split(')').length)
    expect(expr.split(/[<>=]=? [\d.]+$| < pult_\w+$|^absent(?:_over_time)?\(/), name).toHaveLength(2)
    // A maximum over all nodes has no labels, and neither has a missing series.
    expect(/^(?:max|absent)/.test(expr) && summary.includes('$labels'), name).toBe(false)
  }
})

test('prometheus/client_js#370, #467 two scrapers find the same longest delay of the event loop', async () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
  const longest = async () =>
    valueOf((await scrape()).text, 'pult_event_loop_delay_seconds{percentile="100"}') ?? 0
  await expect.poll(longest).toBeGreaterThan(0.4)
  expect(await longest()).toBeGreaterThan(0.4)
})

test('prometheus/client_js#467 the first scrape counts the requests since the start', async () => {
  const node = await testServer()
  const path = `${apiBase}/health/live`
  for (let calls = 0; calls < 3; calls += 1) await fetch(node.url + path)
  const { text } = await scrape({}, node.url)
  const labels = `method="GET",route="${path}"`
  expect(valueOf(text, `pult_http_requests_total{${labels},status="2xx"}`)).toBe(3)
  expect(valueOf(text, `pult_http_route_duration_seconds_count{${labels}}`)).toBe(3)
  expect(valueOf(text, 'pult_http_request_duration_seconds_count{method="GET"}')).toBe(3)
})

test('a backup and a proof that a wrong clock dated in the future are no success', async () => {
  const add = (from: string) =>
    sql`
    insert into backup_run (id, cause, started_at, seen_at, ended_at, archive, proven_at)
    select gen_random_uuid(), 'schedule', at, at, at, 'archive ' || at, at
    from (select now() + ${from}::interval as at) given`.execute(server.db)
  const successOf = async (step: string) =>
    valueOf((await scrape()).text, `pult_backup_success_timestamp_seconds{step="${step}"}`)
  await add('1 day')
  for (const step of ['backup', 'drill']) expect(await successOf(step)).toBeUndefined()
  await sql`delete from backup_run`.execute(server.db)
  await add('-1 day')
  for (const step of ['backup', 'drill'])
    expect(await successOf(step)).toBeLessThan(Date.now() / 1000 - 80_000)
})

test('the metrics contain the offset of the clock and the age of the oldest mail that could not be sent', async () => {
  const { text } = await scrape()
  expect(Math.abs(valueOf(text, 'pult_clock_offset_seconds') ?? Infinity)).toBeLessThan(5)
  expect(valueOf(text, 'pult_mail_oldest_unsent_seconds')).toBe(0)
})

test('a part of the metrics that cannot be read is omitted and named, until it can be read', async () => {
  const failed = async () => {
    const { text } = await scrape()
    const of = (part: string) => valueOf(text, `pult_metrics_part_failed{part="${part}"}`)
    return [of('mails'), of('jobs'), valueOf(text, 'pult_mails{state="waiting"}')]
  }
  expect(await failed()).toEqual([0, 0, 0])
  await sql`alter table mail rename to mail_away`.execute(server.db)
  expect(await failed()).toEqual([1, 0, undefined])
  await sql`alter table mail_away rename to mail`.execute(server.db)
  expect(await failed()).toEqual([0, 0, 0])
})

test('the metrics contain the number of clean-ups that fail', async () => {
  expect(valueOf((await scrape()).text, 'pult_clean_up_failed')).toBe(0)
})

test('the alerts fire for what has never happened, and for nothing else', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-promtool-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const programs = await findPrometheus(folder, { mayDownload: sized(false, true) })
  if ('reason' in programs) return skip(programs.reason)
  const { stdout } = await promisify(execFile)(programs.promtool, ['test', 'rules', alertCases])
  expect(stdout).toContain('SUCCESS')
})

test('a metric with an alert names a replica that does not answer, and not the listed primary', async () => {
  const { host, port, user, database } = server.testDatabase.connection
  const primary = `${user}@${encodeURIComponent(host)}:${port}`
  const node = await testServer({
    besides: server,
    config: { databaseReplicaUrl: `postgres://${primary},127.0.0.1:1/${database}` },
  })
  const serving = async () => {
    const { text } = await scrape({}, node.url)
    return seriesOf(text).filter((line) => line.startsWith('pult_database_replica_serving'))
  }
  await expect.poll(serving).toEqual(['pult_database_replica_serving{replica="127.0.0.1:1"} 0'])
  const alerts = await readFile(join(operations, 'pult-alerts.yml'), 'utf8')
  expect(alerts).toContain('expr: pult_database_replica_serving == 0\n')
})

test('without a public address this machine can read the metrics, or with METRICS_TOKEN only the holder of the token', async () => {
  const forwarded = await scrape({ 'x-forwarded-for': '203.0.113.9' })
  expect([forwarded.status, forwarded.text]).toEqual([401, expect.stringContaining('METRICS_TOKEN')])
  const { http } = server.app
  expect((await http.inject({ url: metricsPath, remoteAddress: '192.0.2.1' })).statusCode).toBe(401)

  const token = 'scraper-0123456789'
  const guarded = await testServer({ settings: { METRICS_TOKEN: token } })
  guarded.watchSecret(token)
  expect((await scrape({}, guarded.url)).status).toBe(401)
  expect((await scrape({ authorization: 'Bearer scraper-0123456788' }, guarded.url)).status).toBe(401)
  expect((await scrape({ authorization: `Bearer ${token}` }, guarded.url)).status).toBe(200)
})

/** As nginx sends the requests of its clients with `proxy_pass http://127.0.0.1:…` alone. */
test.each([`${apiBase}/metrics`, `${apiBase}/health`])(
  'with a public address, a request to %s that looks like one of this machine needs METRICS_TOKEN',
  async (path) => {
    const publicly = { PULT_URL: 'https://pult.example.org' }
    const node = await testServer({ settings: publicly })
    const local = `http://127.0.0.1:${node.config.port}${path}`
    for (const headers of [{}, { host: 'localhost' }] as Record<string, string>[]) {
      const answer = await fetch(local, { headers })
      expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('METRICS_TOKEN')])
    }
    expect((await node.app.http.inject({ url: path, remoteAddress: '::1' })).statusCode).toBe(401)

    const token = 'scraper-0123456789'
    const guarded = await testServer({ settings: { ...publicly, METRICS_TOKEN: token } })
    guarded.watchSecret(token)
    const here = `http://127.0.0.1:${guarded.config.port}${path}`
    expect((await fetch(here)).status).toBe(401)
    expect((await fetch(here, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  },
)

interface Rules {
  groups: { rules: { name: string; health: string; lastError?: string }[] }[]
}

test('promtool finds no fault in the metrics and alerts, and Prometheus scrapes them and evaluates every alert and panel', {
  tags: ['long'],
  timeout: 180_000,
}, async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-prometheus-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const programs = await findPrometheus(folder, { mayDownload: sized(false, true) })
  if ('reason' in programs) return skip(programs.reason)

  const token = 'scraper-0123456789'
  const guarded = await testServer({ settings: { METRICS_TOKEN: token } })
  guarded.watchSecret(token)
  const read = () => scrape({ authorization: `Bearer ${token}` }, guarded.url)
  const check = promisify(execFile)(programs.promtool, ['check', 'metrics'])
  check.child.stdin?.end((await read()).text)
  expect(await check).toEqual({ stdout: '', stderr: '' })

  const config = join(folder, 'prometheus.yml')
  await writeFile(
    config,
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [${JSON.stringify(alertsFile)}]
scrape_configs:
  - job_name: pult
    metrics_path: ${metricsPath}
    authorization: { credentials: ${token} }
    static_configs:
      - targets: [${JSON.stringify(new URL(guarded.url).host)}]
`,
  )
  await promisify(execFile)(programs.promtool, ['check', 'config', config])
  const ask = await startPrometheus(programs.prometheus, config, folder)
  const valuesOf = async (query: string) => {
    const { data } = await ask(`query?query=${encodeURIComponent(query)}`)
    return (data as { result: { value: [number, string] }[] }).result.map(({ value }) => value[1])
  }
  await expect.poll(() => valuesOf('up{job="pult"}').catch(() => [])).toEqual(['1'])
  expect(await valuesOf('pult_build_info')).toEqual(['1'])

  const healthOfRules = async () => {
    const { groups } = (await ask('rules')).data as Rules
    return groups.flatMap(({ rules }) =>
      rules.map(({ name, health, lastError }) => ({ name, health, lastError })),
    )
  }
  const names = [...(await readFile(alertsFile, 'utf8')).matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  await expect
    .poll(healthOfRules)
    .toEqual(names.map((name) => ({ name, health: 'ok', lastError: undefined })))

  const dashboard = await readFile(join(operations, 'pult-dashboard.json'), 'utf8')
  const panels = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '']) => JSON.parse(text) as string,
  )
  expect(panels).not.toEqual([])
  for (const panel of panels)
    expect(
      await ask(`query?query=${encodeURIComponent(panel.replaceAll('$__rate_interval', '1m'))}`),
      panel,
    ).toMatchObject({ status: 'success' })
})
