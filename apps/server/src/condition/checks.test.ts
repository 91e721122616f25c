import { expect, test } from 'vitest'
import type { ReplicaState } from '#platform/database/replicas.ts'
import type { FoundBackups } from '../backup/read-backups.ts'
import { checksOf } from './checks.ts'

const node = {
  _id: '018f0000-0000-7000-8000-000000000001',
  name: 'pult-2',
  version: '2.4.0',
  startedAt: '2026-01-01T00:00:00Z',
  seenAt: '2026-01-01T00:00:00Z',
  isAlive: true,
  sockets: 0,
  edges: 0,
  memory: 1,
}
const healthy = {
  checkedAt: '2026-01-01T00:00:00Z',
  database: { version: '18.1', isEmbedded: true, size: 1, connections: 1, connectionsMax: 100, answersIn: 1 },
  files: { store: 'folder' as const, size: 0, free: 100e9, limit: null, byProject: [] },
  mail: {
    server: 'mail:587',
    lastSent: { at: '2026-01-01T00:00:00Z', kind: 'test' as const },
    waiting: 0,
    trouble: null,
    failed: 0,
    refused: { total: 0, addresses: [] },
  },
  signIn: {
    accounts: 1,
    withPasskey: 1,
    withOneTimeCode: 0,
    withPasswordAlone: 0,
    people: 1,
    sessions: 1,
    refused: 0,
    invitations: { open: 0, expiringToday: 0 },
    rootsAtRisk: { total: 0, people: [] },
  },
  nodes: [node],
  jobs: {
    waiting: 0,
    running: 0,
    failed: 0,
    oldest: null,
    tasks: { waiting: 0, running: 0, failed: 0 },
  },
  extensions: { enabled: 1, disabled: 0, inTrouble: [] },
  untrustedProxy: null,
}
const now = Date.now()
const backups: FoundBackups = {
  now,
  place: '/backups',
  hasKey: true,
  schedule: 'daily',
  next: null,
  drill: 'each',
  running: null,
  failure: null,
  missing: 0,
  provenAt: new Date(now).toISOString(),
  drillFailure: null,
  archives: [
    { name: 'a', createdAt: new Date(now).toISOString(), size: 1, isEncrypted: true, provenAt: null },
  ],
  trouble: null,
}
const facts = {
  publicUrl: 'https://pult.example.org',
  trustedProxies: ['10.1.0.0/16', '::1'],
  clockOffset: 0,
  clocks: [{ name: 'pult-1', offset: 400 }],
  reserve: 1e9,
  outdatedAgents: 0,
  values: { growths: [], free: undefined },
  replicas: [],
  backups,
  failures: new Map(),
  unready: null,
  fileFailure: null,
  unknownSettings: [],
}

test('RULE-08 the line for TRUSTED_PROXIES is offered only for the proxy that the caller came through', () => {
  const found = { ...healthy, untrustedProxy: { address: '10.0.0.66', seenAt: '2026-01-01T00:00:00Z' } }
  for (const ownProxy of [undefined, '10.0.0.9']) {
    const checks = checksOf(found, { ...facts, ownProxy }, 'de')
    expect(checks).toMatchObject([{ id: 'proxy.other', what: expect.stringContaining('10.0.0.66') }])
    expect(checks[0]?.fix).not.toMatch(/=|10\.0\.0\.66/)
  }
  expect(checksOf(found, { ...facts, ownProxy: '10.0.0.66' }, 'de')).toMatchObject([
    { id: 'proxy', fix: 'TRUSTED_PROXIES=10.1.0.0/16,::1,10.0.0.66' },
  ])
})

test('RULE-08 trusted proxies that include every client are a failure', () => {
  for (const range of ['0.0.0.0/0', '::/0'])
    expect(checksOf(healthy, { ...facts, trustedProxies: ['10.1.0.1', range] }, 'de')).toMatchObject([
      { id: 'proxy.all', level: 'danger', what: expect.stringContaining(range) },
    ])
})

test('a healthy installation has no checks', () => {
  expect(checksOf(healthy, facts, 'de')).toEqual([])
  expect(checksOf(healthy, { ...facts, publicUrl: 'http://localhost:8080' }, 'de')).toEqual([])
})

test.each([
  ['https://192.168.1.5', ['address']],
  ['https://[2001:db8::1]:8443', ['address']],
  ['http://127.0.0.1:8080', ['https', 'address']],
  ['http://pult.local', ['https']],
  ['https://192-168-1-5.example.org', []],
])('securo#403 browsers do not offer passkeys at %s: %j', (publicUrl, ids) => {
  expect(checksOf(healthy, { ...facts, publicUrl }, 'en').map(({ id }) => id)).toEqual(ids)
})

test('each fault is one check with its fix, failures first', () => {
  const faults = {
    ...healthy,
    database: null,
    files: { ...healthy.files, free: 0.5e9, size: 95, limit: 100 },
    mail: {
      ...healthy.mail,
      lastSent: null,
      waiting: 3,
      failed: 2,
      trouble: { since: '2026-01-01T00:00:00Z', error: '535' },
    },
    signIn: { ...healthy.signIn, rootsAtRisk: { total: 1, people: [{ _id: node._id, name: 'Ada' }] } },
    nodes: [node, { ...node, isAlive: false }],
    jobs: { ...healthy.jobs, oldest: '2026-01-01T00:00:00Z' },
    extensions: { ...healthy.extensions, inTrouble: [{ id: 'hello', label: 'Hello', problem: 'No app' }] },
    untrustedProxy: { address: '10.0.0.9', seenAt: '2026-01-01T00:00:00Z' },
  }
  const found = checksOf(
    faults,
    {
      publicUrl: 'http://pult.example.org',
      trustedProxies: facts.trustedProxies,
      ownProxy: '10.0.0.9',
      clockOffset: 0,
      clocks: [...facts.clocks, { name: 'pult-2', offset: -9000 }],
      reserve: 1e9,
      outdatedAgents: 4,
      values: facts.values,
      replicas: [],
      backups,
      failures: new Map(),
      unready: null,
      fileFailure: null,
      unknownSettings: [{ name: 'SMTP_URI', meant: 'SMTP_URL' }],
    },
    'de',
  )
  expect(found.map(({ level, id }) => `${level} ${id}`)).toEqual([
    'danger unread',
    'danger nodes',
    'danger extensions',
    'danger disk',
    'danger mail.stuck',
    'danger https',
    'danger jobs',
    'warning limit',
    'warning mail.failed',
    'warning mail.never',
    'warning proxy',
    'warning setting',
    'warning clock',
    'warning agents',
    'warning roots',
  ])
  for (const { what, fix } of found) expect([what, fix]).not.toContain('')
  expect(found.find(({ id }) => id === 'proxy')?.fix).toBe('TRUSTED_PROXIES=10.1.0.0/16,::1,10.0.0.9')
  expect(found.find(({ id }) => id === 'clock')?.what).toContain('pult-2')
  const noServer = { ...healthy, mail: { ...healthy.mail, server: null } }
  expect(checksOf(noServer, facts, 'de-DE')).toMatchObject([{ id: 'mail.none', fix: 'Setzen Sie SMTP_URL' }])
})

test('a disk of the node without its reserve is a problem, also if files are elsewhere', () => {
  const inBucket = { ...healthy, files: { ...healthy.files, store: 's3' as const, free: null } }
  const problems = (diskFree: number) => checksOf(inBucket, { ...facts, diskFree }, 'de')
  expect(problems(3e9)).toEqual([])
  expect(problems(0.5e9)).toMatchObject([{ id: 'disk', what: expect.stringContaining('476 MiB') }])
})

test('a disk of the node without free inodes is a problem, however many bytes are free and also if files are in a bucket', () => {
  const inBucket = { ...healthy, files: { ...healthy.files, store: 's3' as const, free: null } }
  const problems = (lacksInodes: boolean) =>
    checksOf(inBucket, { ...facts, diskFree: 100e9, lacksInodes }, 'de-DE')
  expect(problems(false)).toEqual([])
  expect(problems(true)).toMatchObject([
    {
      id: 'disk.inodes',
      level: 'danger',
      what: expect.stringContaining('keine freien Inodes'),
      fix: expect.stringContaining('df -i'),
    },
  ])
})

test('addresses to which mail was refused are named up to a limit, and the rest counted', () => {
  const address = { email: 'ada@example.org', at: '2026-01-01T00:00:00Z', answer: 'EENVELOPE 550' }
  const refused = { total: 3, addresses: [address, { ...address, email: 'bea@example.org' }] }
  const mail = { ...healthy.mail, failed: 4, refused }
  expect(checksOf({ ...healthy, mail }, facts, 'de')).toMatchObject([
    {
      id: 'mail.refused',
      what: 'Mails to these addresses were rejected within the last seven days: ada@example.org (EENVELOPE 550), bea@example.org (EENVELOPE 550) and 1 more',
    },
  ])
  expect(checksOf({ ...healthy, mail }, facts, 'de-DE')[0]?.what).toContain('und 1 weitere')
})

test('one edge or mail is counted in the singular', () => {
  const at = '2026-01-01T00:00:00Z'
  const problems = (count: number, language: 'en' | 'de-DE') => {
    const mail = { ...healthy.mail, waiting: count, trouble: { since: at, error: 'EAUTH' }, failed: count }
    const found = checksOf({ ...healthy, mail }, { ...facts, outdatedAgents: count }, language)
    return found.map(({ what }) => what)
  }
  expect(problems(1, 'en')).toEqual([
    '1 mail cannot be delivered: EAUTH',
    '1 mail expired undelivered within the last seven days',
    '1 edge runs an agent of another version',
  ])
  expect(problems(2, 'en')).toEqual([
    '2 mails cannot be delivered: EAUTH',
    '2 mails expired undelivered within the last seven days',
    '2 edges run an agent of another version',
  ])
  expect(problems(1, 'de-DE')).toEqual([
    '1 E-Mail kann nicht gesendet werden: EAUTH',
    '1 E-Mail konnte in den letzten sieben Tagen nicht zugestellt werden',
    '1 Edge hat einen Agenten einer anderen Version',
  ])
  expect(problems(2, 'de-DE')).toEqual([
    '2 E-Mails können nicht gesendet werden: EAUTH',
    '2 E-Mails konnten in den letzten sieben Tagen nicht zugestellt werden',
    '2 Edges haben einen Agenten einer anderen Version',
  ])
})

test.each<[ReplicaState['trouble'][], string[]]>([
  [[null], []],
  [['away'], ['The replica db-2 does not answer: the primary serves its reads']],
  [[null, 'late'], ['The replica db-3 is too far behind: the primary serves its reads']],
  [['primary', null], []],
  [['primary'], ['db-2 in DATABASE_REPLICA_URL is the primary']],
  [['foreign'], ['db-2 in DATABASE_REPLICA_URL does not follow the primary']],
])('replicas in the states %j are named as %j', (troubles, expected) => {
  const replicas = troubles.map((trouble, index) => ({ name: `db-${index + 2}`, trouble, lag: null }))
  expect(checksOf(healthy, { ...facts, replicas }, 'de').map(({ what }) => what)).toEqual(expected)
})

const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()
const aged = (days: number) => backups.archives.map((archive) => ({ ...archive, createdAt: daysAgo(days) }))
const failure = { at: daysAgo(0), reason: 'the disk is full' }

test.each<[string, Partial<FoundBackups>, string[]]>([
  ['no place', { place: null, archives: [] }, ['backup.none']],
  ['no key', { hasKey: false }, ['backup.none']],
  ['a place that does not answer', { trouble: 'EACCES', archives: [] }, ['backup.place']],
  ['no backup', { archives: [] }, ['backup.old']],
  ['a backup of yesterday', { archives: aged(1) }, []],
  ['a backup that is two days old', { archives: aged(2.1) }, ['backup.old']],
  ['a weekly backup that is six days old', { schedule: 'weekly', archives: aged(6) }, []],
  ['a failed backup', { failure }, ['backup.failed']],
  ['a failed drill', { drillFailure: failure }, ['backup.drill']],
  ['no drill', { provenAt: null }, ['backup.unproven']],
  ['an old drill', { provenAt: daysAgo(9) }, ['backup.unproven']],
  ['drills that are off', { drill: 'off', provenAt: null }, []],
])('%s: the checks name the problem, if any', (_what, wrong, ids) => {
  const found = checksOf(healthy, { ...facts, backups: { ...backups, ...wrong } }, 'de')
  expect(found.map(({ id }) => id)).toEqual(ids)
})

test('the age of a due job is that of the clock of the database, whose clock has written it', () => {
  const minutes = 60_000
  const idsFor = (age: number, clockOffset: number) =>
    checksOf(
      { ...healthy, jobs: { ...healthy.jobs, oldest: new Date(Date.now() - age).toISOString() } },
      { ...facts, clockOffset },
      'de',
    ).map(({ id }) => id)
  expect(idsFor(11 * minutes, 0)).toContain('jobs')
  expect(idsFor(11 * minutes, 60 * minutes)).not.toContain('jobs')
  expect(idsFor(0, -60 * minutes)).toContain('jobs')
})

test('solidtime#862 a database whose collation has another version than its indexes is named with the remedy', () => {
  const collation = { stored: '2.36', present: '2.41' }
  expect(checksOf(healthy, { ...facts, collation }, 'de')).toEqual([
    {
      id: 'collation',
      level: 'danger',
      what: expect.stringContaining('from version 2.36 to 2.41'),
      fix: expect.stringContaining('REINDEX DATABASE'),
    },
  ])
})

test('an extension that fails in browsers is named with its version and newest error', () => {
  const failing = [{ label: 'Reports', version: '1.2.0', message: 'x is undefined', count: 7 }]
  expect(checksOf(healthy, { ...facts, failing }, 'de')).toMatchObject([
    {
      id: 'extensions.failing',
      level: 'warning',
      what: 'The extension Reports 1.2.0 has failed 7 times in browsers: x is undefined',
    },
  ])
})
