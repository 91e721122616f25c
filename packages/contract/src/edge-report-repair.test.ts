import { expect, test } from 'vitest'
import { agentMessage, type EdgeReport, edgeReport } from './edge-agent.ts'
import { readAgentMessage, repairEdgeReport } from './edge-report-repair.ts'
import { edgeValuesOf } from './edge-values.ts'
import { limits } from './limits.ts'

const instance = { key: 'player', label: 'Player', state: 'running', canRestart: true } as const
const good: EdgeReport = {
  hostname: 'edge-1',
  platform: 'linux x64',
  load: [0.5, 0.4, 0.3],
  cores: 4,
  memory: { total: 800, free: 300 },
  disk: { total: 1000, free: 400 },
  addresses: ['192.168.1.20'],
  uptime: 100,
  agentUptime: 50,
  decks: { driver: 'ready', reason: null, devices: [] },
  instances: [instance],
  update: { isReady: true, failed: null },
  commands: [{ key: 'clean', label: 'Clean', parameters: [] }],
  values: [{ key: 'kiln.a', value: 900, unit: '°C' }],
}

/** Values that machines, containers and file systems really report, and everything beside them. */
const odd: unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -1,
  2 ** 64,
  1e308,
  0.5,
  '',
  'x'.repeat(4096),
  'half a pair \ud800',
  'a\nb\0c',
  null,
  undefined,
  true,
  [],
  {},
  [null],
  [Number.NaN, -1, 2 ** 64],
  Array.from({ length: 300 }, () => ({ total: 1, free: 1 })),
  Array.from({ length: 200 }, (_none, index) => `10.0.0.${index}`),
  { total: 2 ** 64, free: 2 ** 64 },
  { total: 10, free: 20 },
  { total: Number.NaN, free: 1 },
  { total: 1, free: -5 },
  { driver: 'later', reason: 5, devices: 'none' },
]

const names = Object.keys(good) as (keyof EdgeReport)[]

test.each(names)('an odd value of %s leaves all other parts of a report as they are', (name) => {
  for (const value of odd) {
    const found = repairEdgeReport({ ...good, [name]: value })
    expect(edgeReport.safeParse(found?.report).success).toBe(true)
    const [{ [name]: _odd, missing, ...rest }, { [name]: _good, ...others }] = [
      found?.report as EdgeReport,
      good,
    ]
    expect(rest).toEqual(others)
    expect(Object.keys(missing ?? {}).filter((part) => part !== name)).toEqual([])
    expect(found?.refused.every(({ path, rule }) => path.startsWith(name) && rule !== '')).toBe(true)
    // Every sample of such a report is accepted as well.
    const samples = [{ at: 1, values: edgeValuesOf(found?.report as EdgeReport) }]
    const message = { type: 'report', report: found?.report, at: 1, samples }
    expect(agentMessage.safeParse(message).success).toBe(true)
  }
})

test('s3fs-fuse#1870 a file system of 16 EiB is limited to what the server accepts, and named', () => {
  const found = repairEdgeReport({ ...good, disk: { total: 2 ** 64, free: 2 ** 64 - 2 ** 30 } })
  expect(found?.report.disk).toEqual({ total: Number.MAX_SAFE_INTEGER, free: Number.MAX_SAFE_INTEGER })
  expect(found?.refused).toEqual([
    { path: 'disk.total', rule: `Must be a number from 0 to ${Number.MAX_SAFE_INTEGER}` },
  ])
  expect(found?.report.missing).toBeUndefined()
})

const most = Number.MAX_SAFE_INTEGER
const items = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_none, index) => item(index))

test.each<[string, object, Partial<EdgeReport>]>([
  ['load', { load: [-1, 2 ** 64, 0.5] }, { load: [0, most, 0.5] }],
  ['cores below one', { cores: -3 }, { cores: 1 }],
  ['cores beyond all machines', { cores: 2 ** 40 }, { cores: 4096 }],
  ['half a core', { cores: 2.6 }, { cores: 3 }],
  ['a negative uptime', { uptime: -5, agentUptime: 2 ** 64 }, { uptime: 0, agentUptime: most }],
  [
    'more free than total memory',
    { memory: { total: 10, free: 2 ** 64 } },
    { memory: { total: 10, free: 10 } },
  ],
  ['less than no memory', { memory: { total: -1, free: -5 } }, { memory: { total: 0, free: 0 } }],
  ['a long host name', { hostname: 'x'.repeat(4096) }, { hostname: 'x'.repeat(255) }],
  ['a platform of two lines', { platform: 'linux\nx64' }, { platform: 'linux x64' }],
  [
    'too many addresses',
    { addresses: items(200, (index) => `10.0.0.${index}`) },
    { addresses: items(32, (index) => `10.0.0.${index}`) },
  ],
  [
    'too many programs',
    { instances: items(300, (index) => ({ ...instance, key: `p${index}` })) },
    { instances: items(limits.edgeInstancesMax, (index) => ({ ...instance, key: `p${index}` })) },
  ],
  [
    'too many values',
    { values: items(300, (index) => ({ key: `v${index}`, value: index, unit: '' })) },
    { values: items(limits.edgeValuesMax, (index) => ({ key: `v${index}`, value: index, unit: '' })) },
  ],
  [
    'a decks part with an odd reason',
    { decks: { driver: 'failed', reason: 'a\nb'.repeat(200), devices: [] } },
    { decks: { driver: 'failed', reason: 'a b'.repeat(100), devices: [], faulty: [] } },
  ],
])(
  'a report with %s is corrected to the nearest value that the server accepts',
  (_name, changes, expected) => {
    const found = repairEdgeReport({ ...good, ...changes })
    expect(found?.report).toEqual({ ...good, ...expected })
    expect(found?.refused).toHaveLength(Object.keys(changes).length)
  },
)

test('a report names at most 40 missing parts', () => {
  const missing = Object.fromEntries(
    items(100, (index) => ['p'.padEnd(2 + (index % 26), 'a') + 'x'.repeat(index / 26), `Reason ${index}`]),
  )
  expect(Object.keys(repairEdgeReport({ ...good, missing })?.report.missing ?? {})).toHaveLength(40)
})

test('a refusal names no key that an agent chooses, so that an agent cannot fill the log', () => {
  const refusals = items(5, (index) => {
    const values = { [`key${index}`]: null }
    const sample = readAgentMessage({ type: 'report', report: good, at: 1, samples: [{ at: 1, values }] })
    const missing = { [`part${index}`]: 5 }
    const part = readAgentMessage({ type: 'report', report: { ...good, missing }, at: 1 })
    return [...sample.refused, ...part.refused]
  })
  expect(new Set(refusals.flat().map(({ path, rule }) => `${path} ${rule}`)).size).toBe(2)
  expect(refusals[0]?.map(({ path }) => path)).toEqual(['samples[].values[]', 'report.missing[]'])
})

test('a correction examines few items of a list that is much too long', () => {
  const count = 20_000
  let reads = 0
  const devices = items(count, () => ({
    serial: '',
    get model() {
      reads += 1
      return 5
    },
  }))
  const decks = { driver: 'ready', reason: null, devices }
  const { report } = repairEdgeReport({ ...good, decks, addresses: items(count, () => 0) }) ?? {}
  // The schema reads each item once.
  expect(reads).toBeLessThan(1.5 * count)
  expect(report?.decks.faulty).toHaveLength(16)
  expect([report?.hostname, report?.addresses]).toEqual(['edge-1', []])
})

test('keys of the prototype change nothing', () => {
  const text = JSON.stringify({ ...good, missing: { constructor: 'a', disk: 'b' } })
  const hostile = text.replace('"missing":{', '"__proto__":{"cores":9},"missing":{"__proto__":"x",')
  const found = repairEdgeReport(JSON.parse(hostile))
  expect(found?.report.missing).toEqual({ constructor: 'a', disk: 'b' })
  expect(found?.report.cores).toBe(4)
  expect(({} as { cores?: number }).cores).toBeUndefined()
})

test('a part that cannot be corrected is missing with its reason, and is no value', () => {
  const { load: _load, ...without } = good
  const endless = { cores: 'four', uptime: Number.POSITIVE_INFINITY, missing: { disk: 'a\nb'.repeat(200) } }
  const found = repairEdgeReport({ ...without, ...endless })
  expect(found?.report).toMatchObject({ load: [0, 0, 0], cores: 1, uptime: 0, hostname: 'edge-1' })
  expect(Object.keys(found?.report.missing ?? {})).toEqual(['load', 'cores', 'uptime', 'disk'])
  expect(found?.report.missing?.['disk']).toBe('a b'.repeat(100))
  expect(edgeValuesOf(found?.report as EdgeReport)).not.toHaveProperty('load')
  expect(repairEdgeReport(found?.report)).toEqual({ report: found?.report, refused: [] })
})

test('one odd program, value or address is left out, and the others stay', () => {
  const { report, refused } = repairEdgeReport({
    ...good,
    instances: [
      instance,
      { ...instance, key: 'B A D' },
      instance,
      { ...instance, key: 'two', label: 'a\nb', program: { since: -5, restarts: 0, lastExit: null } },
    ],
    values: [
      { key: 'a', value: Number.NaN, unit: '' },
      { key: 'b', value: 1, unit: 'x'.repeat(40) },
    ],
    addresses: ['10.0.0.1', 'x'.repeat(100), '10.0.0.2'],
  }) as { report: EdgeReport; refused: { path: string }[] }
  expect(report.instances.map(({ key, label }) => [key, label])).toEqual([
    ['player', 'Player'],
    ['two', 'a b'],
  ])
  expect(report.values).toEqual([{ key: 'b', value: 1, unit: 'x'.repeat(16) }])
  expect(report.addresses).toEqual(['10.0.0.1', '10.0.0.2'])
  expect(refused.map(({ path }) => path)).toEqual(['addresses[]', 'instances[].key', 'values[].value'])
})

test('a report with odd samples is accepted with those that fit', () => {
  const samples = [
    { at: 1, values: { load: 5 } },
    { at: 2, values: { load: 1e20 } },
    { at: -1, values: {} },
    { at: 3, values: { disk: 1 } },
  ]
  const found = readAgentMessage({ type: 'report', report: good, at: 5.5, samples })
  expect(found.message).toMatchObject({ at: 6, samples: [samples[0], samples[3]] })
  expect(found.refused).toHaveLength(1)
})

test('a greeting with an odd machine is accepted with the parts that fit', () => {
  const hello = { type: 'hello', protocol: 2, token: 't', version: '1.0.0', run: crypto.randomUUID() }
  const machine = { ids: ['a'.repeat(32), 'nonsense'], hostname: 'x'.repeat(900), addresses: 5 }
  expect(readAgentMessage({ ...hello, machine }).message).toMatchObject({
    machine: { ids: ['a'.repeat(32)], hostname: 'x'.repeat(255), model: null, addresses: [] },
  })
  expect(readAgentMessage({ ...hello, machine, run: 5 })).toEqual({
    refused: [expect.objectContaining({ path: 'run' })],
  })
})

test.each([
  [null],
  [5],
  ['report'],
  [{ type: 'report', report: null }],
  [{ type: 'report', report: [] }],
  [{ type: 'report' }],
  [{ type: 'x' }],
])('a message that is no report at all is refused with its reason: %j', (message) => {
  const { refused, message: read } = readAgentMessage(message)
  expect(read).toBeUndefined()
  expect(refused[0]?.rule).toBeTruthy()
})
