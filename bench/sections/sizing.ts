import { fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { apiBase, projectEndpoints } from '@pult/contract'
import { newToken } from '../../apps/server/src/platform/secrets.ts'
import type { BenchOptions } from '../arguments.ts'
import { createClient } from '../calls.ts'
import { withDatabase } from '../crowd.ts'
import { registerRoot } from '../installation.ts'
import { familySeconds, processorSeconds, withChildren } from '../processor-time.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'
import { addEdges, agentsFile, valuesOfEdge } from './fleet.ts'
import { memoryOf } from './memory.ts'

/** Milliseconds after the last agent has started: the first minute of values is then written. */
const settles = 75_000

/**
 * Measures what a machine needs for fleets of three sizes: the processor and the memory of the server and its database.
 */
export async function* measureSizing(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const seconds = isQuick ? 10 : 90
  for (const count of isQuick ? [50] : [500, 2000, 5000]) {
    const installation = await bench.newInstallation()
    const pult = await installation.start()
    const client = createClient(pult.url, 1)
    const created = await client.call(apiBase + projectEndpoints.create.path, {
      token: await registerRoot(pult),
      body: { label: 'Bench' },
    })
    client.close()
    const projectId = (JSON.parse(created.text) as { _id: string })._id
    const tokens = Array.from({ length: count }, newToken)
    await withDatabase(await installation.connection(), (db) => addEdges(db, projectId, tokens))
    const postmaster = await installation.postmasterPid()

    const agents = fork(agentsFile, { stdio: 'ignore' })
    agents.send({ server: pult.url, tokens })
    await wait(count * 10 + (isQuick ? 5000 : settles))
    const used = async () => [await processorSeconds(pult.pid), await familySeconds(postmaster)] as const
    const [begin, before] = [performance.now(), await used()]
    await wait(seconds * 1000)
    const [elapsed, after] = [(performance.now() - begin) / 1000, await used()]
    const server = await memoryOf([pult.pid])
    const database = await memoryOf(await withChildren(postmaster))
    agents.disconnect()
    await pult.stop()

    const name = `${count.toLocaleString('en-US')} agents x ${valuesOfEdge} values every 5 s`
    yield* [
      {
        name: `${name}: % of a core for the server`,
        unit: '',
        ours: [((after[0] - before[0]) / elapsed) * 100],
      },
      { name: 'and for its database', unit: '', ours: [((after[1] - before[1]) / elapsed) * 100] },
      {
        name: 'memory of the server and its database, PSS',
        unit: 'MB',
        ours: [server.pss + database.pss],
        note: `server ${server.pss.toFixed(0)}, database ${database.pss.toFixed(0)}`,
      },
    ]
  }
}
