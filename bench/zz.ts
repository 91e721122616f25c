import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createWorkbench } from './workbench.ts'
const bench = await createWorkbench()
try {
  await bench.build()
  const installation = await bench.newInstallation()
  const p = await installation.start()
  const ownPostgres = await installation.postgresLike(join(bench.folder, 'idle-cluster'))
  await p.stop()
  await (await bench.startFloor({ ownPostgres })).stop()
  const floor = await bench.startFloor({ ownPostgres })
  for (let i = 0; i < 11; i++) { await wait(1000); console.log(i, (await readFile(`/proc/${floor.pid}/smaps_rollup`, 'utf8').catch(String)).split('\n').slice(0, 3), floor.lines)
   for (const n of await readdir('/proc')) { const s = await readFile(`/proc/${n}/stat`, 'utf8').catch(() => ''); if (s.includes(` ${floor.pid} `)) console.log(s.slice(0, 60)) } }
} finally { await bench.close() }
