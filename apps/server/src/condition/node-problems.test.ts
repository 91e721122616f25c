import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { conditionEndpoints, loginEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { type NodeProblem, type NodeState, problemsOfNode, reportedProblems } from './node-problems.ts'

const both = (text: string) => ({ de: text, 'de-DE': `${text} (de)` })
const failure = { what: both('the cause'), fix: both('The remedy') }
const healthy: NodeState = {
  unready: null,
  fileFailure: null,
  free: 100e9,
  lacksInodes: false,
  reserve: 1e9,
  publicUrl: 'https://pult.example.org',
  refusedOrigin: null,
  unreadableHop: null,
  clockStep: null,
  cleanUps: [],
  twins: null,
}
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

test('a node reports why it is not ready, a failing file store and a disk with nothing but its reserve', () => {
  expect(problemsOfNode(healthy)).toEqual([])
  expect(problemsOfNode({ ...healthy, free: undefined })).toEqual([])
  expect(problemsOfNode({ ...healthy, unready: failure, fileFailure: failure, free: 0.5e9 })).toMatchObject([
    { id: 'ready', what: { 'de-DE': expect.stringContaining('the cause (de)') }, fix: failure.fix },
    { id: 'files', what: { de: 'Files cannot be read and written: the cause' } },
    { id: 'disk', level: 'danger', what: { de: expect.stringContaining('476 MiB') } },
  ])
})

test('a node reports a disk without free inodes, however many bytes are free', () => {
  expect(problemsOfNode({ ...healthy, lacksInodes: true })).toMatchObject([
    { id: 'disk.inodes', level: 'danger', what: { de: expect.stringContaining('has no free inodes') } },
  ])
})

test('hashicorp/nomad#27675 a node reports that a clock stepped', () => {
  const seenAt = '2026-11-29T10:00:00.000Z'
  expect(
    problemsOfNode({ ...healthy, clockStep: { whose: 'database', by: -2_592_000_000, seenAt } }),
  ).toMatchObject([
    {
      id: 'clock.step',
      what: { de: 'The clock of the database moved back by 2592000 s. Last seen: 2026-11-29 10:00 UTC' },
      seenAt,
    },
  ])
})

test('tombii/better-ccflare#384 a node reports since when a clean-up fails, with the reason', () => {
  const since = '2026-11-29T10:00:00.000Z'
  const seenAt = '2026-11-29T11:00:00.000Z'
  const cleanUps = [{ name: 'archiveAudit', since, seenAt, error: new Error('the disk is full') }]
  const [problem, ...others] = problemsOfNode({ ...healthy, cleanUps })
  expect(others).toEqual([])
  expect(problem).toMatchObject({ id: 'clean-up.archiveAudit', level: 'warning', seenAt })
  expect(problem?.what.de).toMatch(
    /^The clean-up archiveAudit has failed since 2026-11-29 10:00 UTC, .*the disk is full/,
  )
  expect(problem?.what['de-DE']).toContain('seit 2026-11-29 10:00 UTC')
})

test('two machines that take turns as one edge are reported for a day with both addresses', () => {
  const twins = { label: 'Kran 2', addresses: ['192.0.2.1', '192.0.2.2'] as const }
  expect(problemsOfNode({ ...healthy, twins: { ...twins, seenAt: ago(23) } })).toMatchObject([
    {
      id: 'twins',
      level: 'warning',
      what: { de: expect.stringContaining('Kran 2: 192.0.2.1 and 192.0.2.2') },
    },
  ])
  expect(problemsOfNode({ ...healthy, twins: { ...twins, seenAt: ago(25) } })).toEqual([])
})

test('RULE-08 a refused origin and an unreadable address are reported for a day, and no remedy repeats them', () => {
  const origin = 'https://evil.example'
  const hop = 'unknown'
  const problemsAt = (seenAt: string) =>
    problemsOfNode({
      ...healthy,
      refusedOrigin: { origin, seenAt },
      unreadableHop: { proxy: '10.0.0.9', hop, seenAt },
    })
  const found = problemsAt('2126-11-27T21:05:59.123Z')
  expect(found).toMatchObject([
    { id: 'origin', level: 'warning', what: { de: expect.stringContaining(`A page at ${origin} was`) } },
    { id: 'hop', level: 'warning', what: { de: expect.stringContaining('10.0.0.9 sends no readable') } },
  ])
  for (const { what, fix } of found)
    for (const language of ['de', 'de-DE'] as const) {
      expect(what[language]).toMatch(/: 2126-11-27 21:05 UTC$/)
      expect(fix[language]).not.toMatch(/evil|unknown|=|DEV_ORIGINS/)
    }
  expect(problemsAt(ago(23))).toHaveLength(2)
  expect(problemsAt(ago(25))).toEqual([])
})

test('readers show a problem of several nodes once with their names, and not what they show as their own', () => {
  const slow: NodeProblem = { id: 'files', level: 'danger', ...failure }
  const own: NodeProblem = { id: 'ready', level: 'danger', ...failure }
  const seen = (text: string, hours: number): NodeProblem => ({
    id: 'origin',
    level: 'warning',
    what: both(text),
    fix: both('x'),
    seenAt: ago(hours),
  })
  const reports = [
    { id: 'a', name: 'pult-1', problems: [own, seen('own', 2)] },
    { id: 'b', name: 'pult-2', problems: [own, slow, seen('newest', 1)] },
    { id: 'c', name: 'pult-3', problems: [slow] },
  ]
  const isShown = ({ id }: NodeProblem) => id === 'ready'
  expect(reportedProblems({ reports, ownId: 'a', isShown }).map(({ id, what }) => [id, what])).toEqual([
    [
      'node.files',
      { de: 'Nodes pult-2, pult-3: the cause', 'de-DE': 'Knoten pult-2, pult-3: the cause (de)' },
    ],
    ['origin', both('newest')],
  ])
  // The row of the reading node may be older than its own results.
  const all = reportedProblems({ reports, ownId: 'a', isShown: () => false })
  expect(all.map(({ what }) => what.de)).toContain('Node pult-2: the cause')
})

test('the Root page of a node names the problems of another node until they end', async () => {
  const first = await testServer({ settings: { TRUSTED_PROXIES: '127.0.0.1,::1' } })
  const disk = { free: 100e9, size: 200e9 }
  const filesFolder = join(first.dataFolder, 'other')
  await mkdir(filesFolder)
  const second = await testServer({
    besides: first,
    config: { filesFolder, trustedProxies: ['127.0.0.1', '::1'] },
    probeDisk: async () => disk,
  })
  const { token } = await first.given.person({ isRoot: true, otp: true })
  const checksOf = async (node: typeof first, language = 'en') =>
    (await node.call(conditionEndpoints.read, { headers: { 'accept-language': language } }, token)).body
      .checks
  const ids = ['node.ready', 'node.files', 'node.disk', 'origin', 'hop']
  /** Reading the condition of the second node also lets it write its heartbeat. */
  const seenByFirst = async () => {
    await checksOf(second)
    return (await checksOf(first)).map(({ id }) => id).filter((id) => ids.includes(id))
  }
  expect(await seenByFirst()).toEqual([])

  expect((await openTestSocket(second.url, { origin: 'https://other.example' })).status).toBe(403)
  await second.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: 'x@example.org', password: 'wrong' } },
    headers: { 'x-forwarded-for': 'unknown' },
  })
  expect(await seenByFirst()).toEqual(['origin', 'hop'])
  await rename(filesFolder, `${filesFolder}-gone`)
  await writeFile(filesFolder, 'a file in the place of the folder')
  await expect.poll(seenByFirst).toEqual(['node.files', 'origin', 'hop'])
  disk.free = 0
  await expect.poll(seenByFirst).toEqual(ids)
  const found = await checksOf(first)
  expect(found.find(({ id }) => id === 'node.files')).toMatchObject({
    level: 'danger',
    what: expect.stringMatching(/^Node \S+: Files cannot be read and written: this server cannot use /),
    fix: expect.stringContaining('the right to read and write'),
  })
  expect((await checksOf(first, 'de')).find(({ id }) => id === 'node.ready')?.what).toMatch(
    /^Knoten \S+: Anmeldung, Schreiben oder Hintergrundarbeit ist gestört/,
  )
  // On its own page they are its own.
  const own = (await checksOf(second)).map(({ id }) => id)
  expect(own).toEqual(expect.arrayContaining(['ready', 'files', 'disk', 'origin', 'hop']))
  expect(own.filter((id) => id.startsWith('node.'))).toEqual([])

  await rm(filesFolder)
  await rename(`${filesFolder}-gone`, filesFolder)
  disk.free = 100e9
  await expect.poll(seenByFirst).toEqual(['origin', 'hop'])
  await second.stop()
  expect(await checksOf(first).then((checks) => checks.map(({ id }) => id))).not.toContain('hop')
})

test('nodes of the previous release, which write no problems, and lost nodes are no reason for a problem', async () => {
  const server = await testServer()
  const { token } = await server.given.person({ isRoot: true, otp: true })
  const node = { version: '2.3.0', started_at: new Date(), sockets: 0, edges: 0, memory: 1 }
  const former = { ...node, id: uuidv7(), name: 'pult-former', seen_at: sql<Date>`now()` }
  const lost = { ...node, id: uuidv7(), name: 'pult-lost', seen_at: sql<Date>`now() - interval '31 seconds'` }
  const problems = JSON.stringify([{ id: 'ready', level: 'danger', ...failure }])
  await server.db.insertInto('node').values(former).execute()
  await server.db
    .insertInto('node')
    .values({ ...lost, problems })
    .execute()
  const { checks } = (await server.call(conditionEndpoints.read, {}, token)).body
  expect(checks.map(({ id }) => id).filter((id) => /^(?:node|unread|ready)/.test(id))).toEqual(['nodes'])
  await server.db.updateTable('node').set({ seen_at: sql<Date>`now()` }).where('id', '=', lost.id).execute()
  const later = (await server.call(conditionEndpoints.read, {}, token)).body.checks
  expect(later).toContainEqual({
    id: 'node.ready',
    level: 'danger',
    what: 'Node pult-lost: the cause',
    fix: 'The remedy',
  })
})
