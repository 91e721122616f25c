import { agentMessage, type EdgeReport } from '@pult/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createReport, printable, type System } from './report.ts'

test('cut text has no half of a surrogate pair at its end, and no control characters', () => {
  expect(printable('ab😀', 3)).toBe('ab ')
  expect(printable('ab😀', 4)).toBe('ab😀')
  expect(printable('a\tb\0c\ud800d', 50)).toBe('a b c d')
})

const own = {
  instances: () => [{ key: 'kiosk', label: 'Kiosk', state: 'running' as const, canRestart: true }],
  update: async () => ({ isReady: true, failed: null }),
  commands: () => [],
  values: () => [{ key: 'kiln.a', value: 900, unit: '°C' }],
  decks: () => ({ driver: 'ready' as const, reason: null, devices: [] }),
}

const steady: System = {
  hostname: () => 'edge-1',
  loadavg: () => [0.5, 0.4, 0.3],
  availableParallelism: () => 4,
  totalmem: () => 800,
  freemem: () => 300,
  uptime: () => 100,
  networkInterfaces: () => ({ eth0: [address('192.168.1.20')] }),
  readFile: () => Promise.reject(new Error('ENOENT')),
  statfs: async () => ({ blocks: 1000, bsize: 1, bavail: 400 }),
}

const address = (text: string, internal = false) => ({
  address: text,
  internal,
  family: 'IPv4' as const,
  netmask: '',
  mac: '',
  cidr: null,
})

/** Returns the reports of an odd machine, and what the agent has logged. */
function machineWith(changes: Partial<System>, parts: Partial<typeof own> = {}, limit = 20) {
  const logged: string[] = []
  const log = (line: string) => void logged.push(line)
  const read = createReport('/', { ...own, ...parts }, { system: { ...steady, ...changes }, log, limit })
  return { read, logged }
}

const isAccepted = (report: EdgeReport) =>
  agentMessage.safeParse(JSON.parse(JSON.stringify({ type: 'report', report }))).success

const fail = () => {
  throw Object.assign(
    new Error('A system error occurred: uv_interface_addresses returned Unknown system error 13'),
    {
      code: 'ERR_SYSTEM_ERROR',
    },
  )
}

const calls = [
  'hostname',
  'loadavg',
  'availableParallelism',
  'totalmem',
  'uptime',
  'networkInterfaces',
  'statfs',
] as const
const partOf = {
  hostname: 'hostname',
  loadavg: 'load',
  availableParallelism: 'cores',
  totalmem: 'memory',
  uptime: 'uptime',
  networkInterfaces: 'addresses',
  statfs: 'disk',
} as const

test.each(calls)(
  'vercel/serve#746 a machine on which %s throws reports everything else, and the reason',
  async (call) => {
    const usual = await machineWith({}).read()
    const { read, logged } = machineWith({ [call]: fail })
    const report = await read()
    const { agentUptime: _own, missing, [partOf[call]]: _part, ...rest } = report
    expect(rest).toEqual(expect.objectContaining({ instances: own.instances(), values: own.values() }))
    for (const [name, value] of Object.entries(rest)) expect(value).toEqual(usual[name as keyof EdgeReport])
    expect(missing).toEqual({ [partOf[call]]: expect.stringContaining('uv_interface_addresses') })
    expect(isAccepted(report)).toBe(true)
    // Once, although a report is read every 5 s.
    await read()
    expect(logged).toHaveLength(1)
  },
)

test.each(['instances', 'update', 'commands', 'values', 'decks'] as const)(
  'an agent whose %s cannot be read reports everything else, and the reason',
  async (name) => {
    const report = await machineWith({}, { [name]: fail }).read()
    expect(Object.keys(report.missing ?? {})).toEqual([name])
    expect(report).toMatchObject({ hostname: 'edge-1', disk: { total: 1000, free: 400 } })
    expect(isAccepted(report)).toBe(true)
  },
)

test('a machine on which every call throws still reports', async () => {
  const none = Object.fromEntries([...calls, 'freemem', 'readFile'].map((call) => [call, fail]))
  const report = await machineWith(none).read()
  expect(isAccepted(report)).toBe(true)
  expect(Object.keys(report.missing ?? {}).toSorted()).toEqual(Object.values(partOf).toSorted())
})

test('s3fs-fuse#1870 a mount of 16 EiB is limited and logged once', async () => {
  const { read, logged } = machineWith({
    statfs: async () => ({ blocks: 2 ** 52, bsize: 4096, bavail: 2 ** 52 }),
  })
  await read()
  const report = await read()
  expect(report.disk).toEqual({ total: Number.MAX_SAFE_INTEGER, free: Number.MAX_SAFE_INTEGER })
  expect(isAccepted(report)).toBe(true)
  expect(logged).toEqual([expect.stringContaining('disk.total')])
})

test.each([
  ['with the size of its blocks', { type: 0x65735546, bsize: 2_097_152, frsize: 16_384 }, 16_384],
  ['without the size of its blocks', { type: 0x65735546, bsize: 1_048_576 }, 4096],
])(
  'nodejs/node#62277 immich#4318 a virtiofs disk %s has the size of its blocks',
  async (_name, units, unit) => {
    const { read } = machineWith({ statfs: async () => ({ ...units, blocks: 1000, bavail: 400 }) })
    expect((await read()).disk).toEqual({ total: 1000 * unit, free: 400 * unit })
  },
)

test.each([
  [
    'a limit',
    { max: '600\n', current: '500\n', stat: 'anon 1\ninactive_file 120\n' },
    { total: 600, free: 220 },
  ],
  ['a full limit', { max: '600\n', current: '650\n', stat: '' }, { total: 600, free: 0 }],
  ['no limit', { max: 'max\n', current: '500\n', stat: '' }, { total: 800, free: 300 }],
  ['a limit above the machine', { max: '9000\n', current: '500\n', stat: '' }, { total: 800, free: 300 }],
])('henrygd/beszel#176 a container with %s of memory reports its own', async (_name, files, memory) => {
  const known = new Map(Object.entries(files).map(([name, text]) => [`/sys/fs/cgroup/memory.${name}`, text]))
  const readText = async (path: string) => {
    const text = known.get(path)
    if (text === undefined) throw new Error('ENOENT')
    return text
  }
  expect((await machineWith({ readFile: readText }).read()).memory).toEqual(memory)
})

test.each([
  ['less than all', 500, 500],
  ['more than all, as lxcfs may write', 900, 200],
])(
  'rcourtman/Pulse#1075 a machine with %s available reports its used memory',
  async (_name, available, free) => {
    const text = `MemTotal: 800 kB\nMemFree:  200 kB\nMemAvailable: ${available} kB\n`
    const readText = async (path: string) => {
      if (path !== '/proc/meminfo') throw new Error('ENOENT')
      return text
    }
    const { read } = machineWith({ totalmem: () => 800 * 1024, readFile: readText })
    expect((await read()).memory).toEqual({ total: 800 * 1024, free: free * 1024 })
  },
)

test.each<[string, Partial<System>, Partial<EdgeReport>]>([
  ['no memory in a container', { totalmem: () => 0 }, { memory: { total: 0, free: 0 } }],
  ['more free than total memory', { freemem: () => 900 }, { memory: { total: 800, free: 800 } }],
  ['a load that is no number', { loadavg: () => [Number.NaN, 0, 0] }, { load: [0, 0, 0] }],
  ['an empty load', { loadavg: () => [] }, { load: [0, 0, 0] }],
  ['no processors', { availableParallelism: () => 0 }, { cores: 1 }],
  ['a negative uptime', { uptime: () => -1 }, { uptime: 0 }],
  ['an infinite uptime', { uptime: () => Number.POSITIVE_INFINITY }, { uptime: 0 }],
  ['a host name of 4 KB', { hostname: () => 'x'.repeat(4096) }, { hostname: 'x'.repeat(255) }],
  ['a host name with half a surrogate pair', { hostname: () => 'a\ud800b' }, { hostname: 'a b' }],
  ['no host name', { hostname: () => '' }, { hostname: '' }],
  ['no interfaces', { networkInterfaces: () => ({}) }, { addresses: [] }],
  [
    'a disk without blocks',
    { statfs: async () => ({ blocks: 0, bsize: 0, bavail: 0 }) },
    { disk: { total: 0, free: 0 } },
  ],
  [
    'a full disk with less than nothing left',
    { statfs: async () => ({ blocks: 10, bsize: 1, bavail: -2 }) },
    { disk: { total: 10, free: 0 } },
  ],
  [
    'a disk whose size is no number',
    { statfs: async () => ({ blocks: Number.NaN, bsize: 1, bavail: 1 }) },
    { disk: null },
  ],
])('a machine with %s reports the rest', async (_name, changes, expected) => {
  const report = await machineWith(changes).read()
  expect(report).toMatchObject({ instances: own.instances(), ...expected })
  expect(isAccepted(report)).toBe(true)
})

test('of 200 interfaces, the report has the addresses that lead to the machine', async () => {
  const inner = Object.fromEntries(
    Array.from({ length: 200 }, (_none, index) => [`veth${index}`, [address(`172.17.${index}.1`)]]),
  )
  const report = await machineWith({
    networkInterfaces: () => ({ lo: [address('127.0.0.1', true)], ...inner, eth0: [address('10.0.0.5')] }),
  }).read()
  expect(report.addresses).toHaveLength(32)
  expect(report.addresses[0]).toBe('10.0.0.5')
})

test('a file system that does not answer delays one report, and is not asked again until it does', async () => {
  let asked = 0
  let answer: (found: Awaited<ReturnType<System['statfs']>>) => void = () => {}
  const { read, logged } = machineWith({
    statfs: () => {
      asked += 1
      return new Promise((resolve) => {
        answer = resolve
      })
    },
  })
  for (let count = 0; count < 10; count += 1) {
    const report = await read()
    expect(report).toMatchObject({
      disk: null,
      hostname: 'edge-1',
      missing: { disk: expect.stringContaining('0.02 s') },
    })
  }
  expect(asked).toBe(1)
  expect(logged).toHaveLength(1)
  answer({ blocks: 1, bsize: 1, bavail: 1 })
  await new Promise((resolve) => setImmediate(resolve))
  const last = read()
  await expect.poll(() => asked).toBe(2)
  answer({ blocks: 100, bsize: 1, bavail: 50 })
  expect(await last).toMatchObject({ disk: { total: 100, free: 50 } })
  expect((await machineWith({}).read()).missing).toBeUndefined()
})

test('a report leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await machineWith({}).read()
  expect(vi.getTimerCount()).toBe(0)
})

test('an agent with more commands than fit into a message reports everything else', async () => {
  const commands = Array.from({ length: 50 }, (_none, index) => ({
    key: `c${index}`,
    label: 'x'.repeat(200),
    parameters: Array.from({ length: 20 }, (_other, at) => ({
      key: `p${at}`,
      label: 'y'.repeat(200),
      type: 'boolean' as const,
    })),
  }))
  const report = await machineWith({}, { commands: () => commands as never }).read()
  expect(report).toMatchObject({ instances: own.instances(), missing: { commands: expect.any(String) } })
  expect(JSON.stringify({ type: 'report', report }).length).toBeLessThan(48_000)
  expect(isAccepted(report)).toBe(true)
})
