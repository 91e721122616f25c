import { type BenchOptions, readArguments, type SectionName, usage } from './arguments.ts'
import { describeMachine, watchStolenTime } from './machine.ts'
import { measureAudit } from './sections/audit.ts'
import { measureBroadcast } from './sections/broadcast.ts'
import { measureEdges } from './sections/edges.ts'
import { measureExport } from './sections/export.ts'
import { measureExtensions } from './sections/extensions.ts'
import { measureFiles } from './sections/files.ts'
import { measureFlood } from './sections/flood.ts'
import { measureInstall } from './sections/install.ts'
import { measureLogin } from './sections/login.ts'
import { measureLogins } from './sections/logins.ts'
import { measureMe } from './sections/me.ts'
import { measureMemory } from './sections/memory.ts'
import { measurePalette } from './sections/palette.ts'
import { measureProfile } from './sections/profile.ts'
import { measureProjects } from './sections/projects.ts'
import { measureSockets } from './sections/sockets.ts'
import { measureStart } from './sections/start.ts'
import { measureTasks } from './sections/tasks.ts'
import { measureTiming } from './sections/timing.ts'
import { measureWindows } from './sections/windows.ts'
import { printTable, type Row } from './table.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

// npm run bench [-- SECTION ...]: measures the product beside a bare floor on the same machine, and prints one table.
// docs/operations/benchmarks.md says how each line is measured.

const sections: Record<SectionName, (bench: Workbench, options: BenchOptions) => Promise<Row[]>> = {
  install: measureInstall,
  start: measureStart,
  memory: measureMemory,
  login: (bench, { pairs }) => measureLogin(bench, pairs),
  extensions: (bench, { pairs }) => measureExtensions(bench, pairs),
  windows: measureWindows,
  palette: measurePalette,
  me: measureMe,
  logins: measureLogins,
  flood: measureFlood,
  timing: (bench, { samples }) => measureTiming(bench, samples),
  profile: measureProfile,
  broadcast: measureBroadcast,
  sockets: measureSockets,
  projects: measureProjects,
  audit: measureAudit,
  tasks: measureTasks,
  edges: measureEdges,
  export: measureExport,
  files: measureFiles,
}

async function measure(options: BenchOptions): Promise<void> {
  const machine = describeMachine()
  const stolenTime = watchStolenTime()
  const begin = performance.now()
  const rows: Row[] = []
  const failures: string[] = []
  const bench = await createWorkbench()
  const interrupted = () => void bench.close().then(() => process.exit(130))
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)

  try {
    await bench.build()
    for (const name of options.sections) {
      const start = performance.now()
      try {
        rows.push(...(await sections[name](bench, options)))
      } catch (error) {
        failures.push(`${name} was not measured: ${error instanceof Error ? error.message : String(error)}`)
      }
      console.error(`${name.padEnd(10)}${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s`)
    }
  } finally {
    await bench.close()
  }

  if (rows.length > 0) console.log(`\n${printTable(rows)}\n`)
  console.log(machine)
  const stolen = stolenTime()
  console.log(
    [
      'Medians, in parentheses from..to.',
      `Measured in ${((performance.now() - begin) / 1000).toFixed(0)} s.`,
      ...(stolen === undefined ? [] : [`Others on the same hardware took ${stolen.toFixed(1)} % of it.`]),
    ].join(' '),
  )
  if (options.isQuick) console.log('With --quick: too little for the bars, whatever the table says of them.')
  for (const failure of failures) console.log(failure)
  if (failures.length > 0) process.exitCode = 1
}

try {
  const options = readArguments(process.argv.slice(2))
  if (options === 'help') console.log(usage)
  else await measure(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
