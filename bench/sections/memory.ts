import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Running } from '../processes.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const idleMilliseconds = 10_000

interface Memory {
  /** Proportional set size: what is shared with others counts by its share. */
  pss: number
  rss: number
}

/**
 * What the server and its database hold while nobody asks for anything. One side after the other, so that they share
 * no pages which would then count half.
 */
export async function measureMemory(bench: Workbench): Promise<Row[]> {
  const installation = await bench.newInstallation()
  await startOnce(installation.start())
  const pult = await installation.start()
  await wait(idleMilliseconds)
  const server = await memoryOf([pult.pid])
  const database = await memoryOf(await withChildren(await installation.postmasterPid()))
  await pult.stop()

  const ownPostgres = await installation.postgresLike(join(bench.folder, 'idle-cluster'))
  await startOnce(bench.startFloor({ ownPostgres }))
  const floor = await bench.startFloor({ ownPostgres })
  await wait(idleMilliseconds)
  const floorServer = await memoryOf([floor.pid])
  const all = await withChildren(floor.pid)
  const floorDatabase = await memoryOf(all.filter((pid) => pid !== floor.pid))
  await floor.stop()

  return [
    {
      name: 'idle, server and database, PSS',
      unit: 'MB',
      ours: [server.pss + database.pss],
      floor: [floorServer.pss + floorDatabase.pss],
      bar: { kind: 'at most', value: 160 },
      note: `server ${server.pss.toFixed(0)}, database ${database.pss.toFixed(0)}`,
    },
    { name: 'idle, server alone, RSS', unit: 'MB', ours: [server.rss], floor: [floorServer.rss] },
  ]
}

/** A first start makes the database, which leaves traces in memory that a usual start does not have. */
async function startOnce(starting: Promise<Running>): Promise<void> {
  const running = await starting
  await wait(200)
  await running.stop()
}

async function memoryOf(pids: number[]): Promise<Memory> {
  const sum = { pss: 0, rss: 0 }
  for (const pid of pids) {
    // PostgreSQL's workers come and go.
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    sum.pss += megabytes(text, 'Pss')
    sum.rss += megabytes(text, 'Rss')
  }
  if (sum.pss === 0) throw new Error('/proc tells nothing about the processes; it does on Linux')
  return sum
}

function megabytes(text: string, field: string): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? '0'
  return (Number(kibibytes) * 1024) / 1e6
}

/** A process and all that it started. */
async function withChildren(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // The name in parentheses may hold spaces: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (/^\d+$/.test(name)) parents.set(Number(name), parent)
  }
  const family = new Set([pid])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child)
  }
  return [...family]
}
