import { readFile, statfs } from 'node:fs/promises'
import * as os from 'node:os'
import { type EdgeReport, limits, lineFrom, repairEdgeReport } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import { createParts } from './parts.ts'

/**
 * Maximum size of a report: the server closes the connection if a message with samples exceeds its limit. Parts are left
 * out in this order until the report fits.
 */
const bytesMost = limits.socketMessageBytes * 4 - 18_000
const largeParts = ['commands', 'values', 'decks', 'instances'] as const

const startedAt = performance.now()

interface DiskCounts {
  type?: number
  bsize: number
  /** Older versions of Node do not report it. */
  frsize?: number
  blocks: number
  bavail: number
}

/** The system calls of a report. Tests provide odd machines through it. */
export const system = {
  hostname: os.hostname,
  loadavg: os.loadavg,
  availableParallelism: os.availableParallelism,
  totalmem: os.totalmem,
  freemem: os.freemem,
  uptime: os.uptime,
  networkInterfaces: os.networkInterfaces,
  readFile: (file: string) => readFile(file, 'utf8'),
  statfs: (folder: string): Promise<DiskCounts> => statfs(folder),
}
export type System = typeof system

/** The parts of a report that the agent itself knows. */
interface OwnParts {
  instances: () => EdgeReport['instances']
  update: () => Promise<EdgeReport['update']>
  commands: () => EdgeReport['commands']
  values: () => EdgeReport['values']
  decks: () => EdgeReport['decks']
}

interface ReportParts {
  system?: System
  log?: typeof writeLog
  /** Milliseconds for reading one part. */
  limit?: number
}

/**
 * Reads the state of this machine. Each part stands on its own: one that throws, hangs or does not fit what the server
 * accepts is missing, with the reason, and the rest is reported.
 */
export function createReport(
  folder: string,
  own: OwnParts,
  { system: from = system, log = writeLog, limit }: ReportParts = {},
) {
  const parts = createParts({ log, ...(limit !== undefined && { limit }) })
  const { part } = parts
  /** Corrected fields. Each is logged once, because a machine repeats its odd values with each report. */
  const logged = new Set<string>()

  return async function read(): Promise<EdgeReport> {
    // Only these wait for a disk.
    const [memory, disk, update] = await Promise.all([
      part('memory', () => memoryNow(from), undefined),
      part('disk', () => diskOf(folder, from), null),
      part('update', own.update, undefined),
    ])
    const given = {
      hostname: await part('hostname', () => hostnameOf(from), undefined),
      platform: `${process.platform} ${process.arch}`,
      load: await part('load', () => from.loadavg().map(round), undefined),
      cores: await part('cores', () => from.availableParallelism(), undefined),
      memory,
      disk,
      addresses: await part('addresses', () => addressesOf(from), undefined),
      uptime: await part('uptime', () => Math.round(from.uptime()), undefined),
      agentUptime: Math.round((performance.now() - startedAt) / 1000),
      decks: await part('decks', own.decks, undefined),
      instances: await part('instances', own.instances, undefined),
      update,
      commands: await part('commands', own.commands, undefined),
      values: await part('values', own.values, undefined),
    }
    const missing = parts.missing()
    // A report is always an object.
    const corrected = () => repairEdgeReport({ ...given, missing }) as Repaired
    let result = corrected()
    for (const name of largeParts) {
      if (Buffer.byteLength(JSON.stringify(result.report)) <= bytesMost) break
      Object.assign(given, { [name]: undefined })
      missing[name] = 'It is too large to be reported'
      result = corrected()
    }
    const { report, refused } = result
    for (const { path, rule } of refused) {
      if (logged.has(path) || missing[path] !== undefined) continue
      logged.add(path)
      log(`The agent corrects ${path} in its reports: ${rule}`)
    }
    return report
  }
}
type Repaired = NonNullable<ReturnType<typeof repairEdgeReport>>

export function hostnameOf(from: Pick<System, 'hostname'> = system): string {
  const name = printable(from.hostname(), 255).trim()
  if (name === '') throw new Error('This machine has no host name')
  return name
}

/**
 * `free` does not include Linux's caches, although that memory is available. In a container of LXC, more than all may be
 * available, because the file shows caches of the machine (rcourtman/Pulse#1075); then only free memory counts.
 */
async function memoryNow(from: System): Promise<EdgeReport['memory']> {
  const text = await from.readFile('/proc/meminfo').catch(() => '')
  const bytesOf = (name: 'MemAvailable' | 'MemFree') => {
    const line = text.split('\n').find((each) => each.startsWith(`${name}:`))
    const [, kilobytes] = /^\w+:\s+(\d+) kB$/.exec(line ?? '') ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  }
  const total = from.totalmem()
  if (total === 0) throw new Error('The system reports no memory')
  const available = bytesOf('MemAvailable')
  const isBelievable = available !== undefined && available <= total
  const machine = spaceOf(total, (isBelievable ? available : bytesOf('MemFree')) ?? from.freemem())
  const container = await containerMemory(from)
  if (container === undefined || container.total >= total) return machine
  return spaceOf(container.total, Math.min(container.free, machine.free))
}

/**
 * Returns the memory of a container with a limit: its `/proc` shows that of the machine. Only a container has these files
 * at the root of its control groups.
 */
async function containerMemory(from: System): Promise<EdgeReport['memory'] | undefined> {
  const read = (name: string) => from.readFile(`/sys/fs/cgroup/memory.${name}`).catch(() => '')
  const [limit, used, statistics] = await Promise.all([read('max'), read('current'), read('stat')])
  const [total, current] = [Number.parseInt(limit, 10), Number.parseInt(used, 10)]
  if (Number.isNaN(total) || Number.isNaN(current)) return undefined
  const caches = Number(/^inactive_file (\d+)$/m.exec(statistics)?.[1] ?? 0)
  return { total, free: Math.max(0, total - current + caches) }
}

/** More free than total space is an overflow of a container or a file system. */
const spaceOf = (total: number, free: number) => ({ total, free: free > total ? total : free })

/** The type of FUSE, which virtiofs shares. Its `bsize` may be the size of its transfers. */
const fuse = 0x65735546
const fuseUnitMost = 65_536

/** Returns the bytes of a counted block. `bsize` is it only where `frsize` is missing: nodejs/node#62277. */
const unitOf = ({ type, bsize, frsize = 0 }: DiskCounts): number =>
  frsize > 0 ? frsize : type === fuse && bsize > fuseUnitMost ? 4096 : bsize

async function diskOf(folder: string, from: System): Promise<EdgeReport['disk']> {
  const counts = await from.statfs(folder)
  const unit = unitOf(counts)
  return spaceOf(counts.blocks * unit, counts.bavail * unit)
}

const addressesMost = 32

/** Interfaces of containers and virtual machines. Their addresses do not lead to this machine. */
const inner = /^(?:br-|cali|cni|docker|flannel|lxc|lxd|podman|veth|virbr|vnet)/

/** Returns the addresses of this machine, those of inner interfaces last. */
export function addressesOf(from: Pick<System, 'networkInterfaces'> = system): string[] {
  const found = Object.entries(from.networkInterfaces()).flatMap(([name, each]) =>
    (each ?? [])
      .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
      .map(({ address }) => ({ address, isInner: inner.test(name) })),
  )
  const ordered = found.toSorted((one, other) => Number(one.isInner) - Number(other.isInner))
  return [...new Set(ordered.map(({ address }) => address))].slice(0, addressesMost)
}

const round = (value: number) => Math.round(value * 100) / 100

/**
 * Returns one line that the server accepts, without control characters and without half a surrogate pair, which a cut
 * may leave.
 */
export const printable = lineFrom
