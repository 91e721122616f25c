import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Installation } from '../installation.ts'
import type { Running } from '../processes.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const firstStarts = 3
const laterStarts = 7
const npmStarts = 3

/**
 * Measures the time from the start of the process to its ready line, including the database. The floor starts the
 * same PostgreSQL.
 */
export async function* measureStart(bench: Workbench): AsyncGenerator<Row> {
  const first = { ours: [] as number[], floor: [] as number[] }
  const later = { ours: [] as number[], floor: [] as number[] }
  const withNpm: number[] = []

  let installation: Installation | undefined
  let cluster = ''
  for (let round = 0; round < firstStarts; round += 1) {
    installation = await bench.newInstallation()
    first.ours.push(await readyAfter(installation.start()))
    cluster = join(bench.folder, `floor-cluster-${round}`)
    first.floor.push(
      await readyAfter(bench.startFloor({ ownPostgres: await installation.postgresLike(cluster) })),
    )
  }
  if (installation === undefined) throw new Error('No first start was measured')

  const ownPostgres = await installation.postgresLike(cluster)
  for (let round = 0; round < laterStarts; round += 1) {
    later.ours.push(await readyAfter(installation.start()))
    later.floor.push(await readyAfter(bench.startFloor({ ownPostgres })))
    if (round < npmStarts) withNpm.push(await readyAfter(installation.start('npm')))
  }
  yield* [
    { name: 'start to ready, first', unit: 's', ...first, note: 'creates the database' },
    { name: 'start to ready, later', unit: 's', ...later, bar: { kind: 'at most', value: 1.2 } },
    { name: 'start to ready, later, npm start', unit: 's', ours: withNpm, note: 'including npm' },
  ]
}

/** Returns the seconds until a process is ready, then stops it. */
async function readyAfter(starting: Promise<Running>): Promise<number> {
  const running = await starting
  // The server may still do work after the ready line.
  await wait(200)
  await running.stop()
  return running.readyAfter / 1000
}
