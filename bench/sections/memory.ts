import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Running } from '../processes.ts'
import { withChildren } from '../processor-time.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const idleMilliseconds = 10_000

interface Memory {
  /** Proportional set size: a page that n processes share counts as 1/n of a page. */
  pss: number
  rss: number
}

/**
 * Measures the memory of the idle server and its database. Runs one side after the other, because shared pages would
 * otherwise count half.
 */
export async function* measureMemory(bench: Workbench): AsyncGenerator<Row> {
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

  yield* [
    {
      name: 'idle, server and database, PSS',
      unit: 'MB',
      ours: [server.pss + database.pss],
      floor: [floorServer.pss + floorDatabase.pss],
      bar: { kind: 'at most', value: 250 },
      note: `server ${server.pss.toFixed(0)}, database ${database.pss.toFixed(0)}`,
    },
    { name: 'idle, server alone, RSS', unit: 'MB', ours: [server.rss], floor: [floorServer.rss] },
  ]
}

/** A first start creates the database, which uses memory that a usual start does not need. */
async function startOnce(starting: Promise<Running>): Promise<void> {
  const running = await starting
  await wait(200)
  await running.stop()
}

export async function memoryOf(pids: number[]): Promise<Memory> {
  const sum = { pss: 0, rss: 0 }
  for (const pid of pids) {
    // The number of PostgreSQL's workers varies.
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    sum.pss += megabytes(text, 'Pss')
    sum.rss += megabytes(text, 'Rss')
  }
  if (sum.pss === 0) throw new Error('/proc has no data about the processes. This section needs Linux')
  return sum
}

function megabytes(text: string, field: string): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? '0'
  return (Number(kibibytes) * 1024) / 1e6
}
