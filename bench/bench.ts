import { type BenchOptions, readArguments, type SectionName, usage } from './arguments.ts'
import { describeMachine, watchStolenTime } from './machine.ts'
import { runSections } from './run-sections.ts'
import { measureBackup } from './sections/backup.ts'
import { measureBroadcast } from './sections/broadcast.ts'
import { measureEdges } from './sections/edges.ts'
import { measureFiles } from './sections/files.ts'
import { measureFleet } from './sections/fleet.ts'
import { measureFlood } from './sections/flood.ts'
import { measureHome } from './sections/home.ts'
import { measureLogin } from './sections/login.ts'
import { measureMemory } from './sections/memory.ts'
import { measureProjects } from './sections/projects.ts'
import { measureScroll } from './sections/scroll.ts'
import { measureSizing } from './sections/sizing.ts'
import { measureSockets } from './sections/sockets.ts'
import { measureStart } from './sections/start.ts'
import { measureTasks } from './sections/tasks.ts'
import { measureTiming } from './sections/timing.ts'
import { printTable, type Row } from './table.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

// npm run bench [-- SECTION ...]: measures the product and a bare floor on the same machine, and prints one table.
// docs/operations/benchmarks.md describes how each line is measured.

const sections: Record<SectionName, (bench: Workbench, options: BenchOptions) => AsyncGenerator<Row>> = {
  start: measureStart,
  memory: measureMemory,
  login: (bench, { pairs }) => measureLogin(bench, pairs),
  flood: measureFlood,
  timing: (bench, { samples }) => measureTiming(bench, samples),
  broadcast: measureBroadcast,
  sockets: measureSockets,
  projects: measureProjects,
  tasks: measureTasks,
  edges: measureEdges,
  fleet: measureFleet,
  sizing: measureSizing,
  home: measureHome,
  scroll: measureScroll,
  files: measureFiles,
  backup: measureBackup,
}

async function measure(options: BenchOptions): Promise<void> {
  const machine = describeMachine()
  const stolenTime = watchStolenTime()
  const begin = performance.now()
  const bench = await createWorkbench()
  const interrupt = new AbortController()
  const onInterrupt = () => {
    interrupt.abort()
    // The interrupted section loses its server during calls that no code awaits.
    process.on('uncaughtException', () => {})
  }
  // npm passes on an interrupt that the terminal has already sent to the bench.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, onInterrupt)

  async function runAll() {
    try {
      await bench.build()
      return await runSections(
        options.sections.map((name) => ({ name, measure: () => sections[name](bench, options) })),
        interrupt.signal,
        (name, milliseconds) =>
          console.error(`${name.padEnd(10)}${(milliseconds / 1000).toFixed(1).padStart(6)} s`),
      )
    } finally {
      await bench.close()
    }
  }
  const { rows, failures } = await runAll()

  if (rows.length > 0) console.log(`\n${printTable(rows)}\n`)
  console.log(machine)
  const stolen = stolenTime()
  console.log(
    [
      'Medians, in parentheses from..to.',
      `Measured in ${((performance.now() - begin) / 1000).toFixed(0)} s.`,
      ...(stolen === undefined
        ? []
        : [`Other guests of the same hardware used ${stolen.toFixed(1)} % of the processor time.`]),
    ].join(' '),
  )
  if (options.isQuick) console.log('With --quick there are too few samples for the bars.')
  for (const failure of failures) console.log(failure)
  if (failures.length > 0) process.exitCode = 1
  if (interrupt.signal.aborted) process.exit(130)
}

try {
  const options = readArguments(process.argv.slice(2))
  if (options === 'help') console.log(usage)
  else await measure(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
