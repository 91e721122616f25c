import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  lastLine,
  readRun,
  runFileVariable,
  type Tally,
  type TestOutcome,
  type TestRun,
  tallyOf,
  writeJson,
  writeRun,
} from './requirements/results.ts'
import { lookAgain, mostAttempts, type UnsteadyTest } from './second-look.ts'
import { type Ending, root, runShown, vitestCommand } from './steps.ts'
import { testProjects } from './test-projects.ts'

const reporter = `--reporter=${join(import.meta.dirname, 'requirements/reporter.ts')}`

/** No second look begins later than this, in milliseconds since the start of this process. */
const latestSecondLook = 60 * 60_000

export interface TestRunOptions {
  args: string[]
  env: NodeJS.ProcessEnv
  /** The project whose tests run. */
  folder?: string
  /** Milliseconds since the start of this process. */
  latestSecondLook?: number
}

export interface TestRunResult {
  tally: Tally
  unsteady: UnsteadyTest[]
}

/** Runs all selected tests once, then gives the files that failed a second look. */
export async function runTests(options: TestRunOptions): Promise<TestRunResult> {
  const { folder = root } = options
  const { run, ending } = await runVitest(options, options.args)
  const { tally, remark } = judgeRun(run, ending)
  if (remark !== undefined) console.log(remark)
  // An error that belongs to no file stays a failure, whatever the files do when they run again.
  if (run === null || remark !== undefined || run.unhandledErrors.length > 0) return { tally, unsteady: [] }

  const look = await lookAgain(run.tests, {
    isTooLate: () => performance.now() > (options.latestSecondLook ?? latestSecondLook),
    runAgain: (file, attempt) => {
      console.log(`\nSecond look at ${file}, attempt ${attempt} of ${mostAttempts}`)
      return runAlone(options, file)
    },
  })
  if (look.remark !== undefined) console.log(look.remark)
  const looked = { ...run, tests: look.tests }
  writeRun(folder, looked)
  return { tally: tallyOf(looked), unsteady: look.unsteady }
}

/** Runs one file in a process of its own, with a database and a browser of its own and nothing beside it. */
async function runAlone(options: TestRunOptions, file: string): Promise<TestOutcome[]> {
  const { folder = root, args } = options
  const { parseCLI } = await import('vitest/node')
  const filters = parseCLI(['vitest', 'run', ...args]).filter
  const others = args.filter((arg) => !filters.includes(arg))
  const { run, ending } = await runVitest(options, [...others, join(folder, file)])
  const { remark } = judgeRun(run, ending)
  const outcomes = run?.tests.filter((test) => test.file === file) ?? []
  const failures = [...(remark === undefined ? [] : [remark]), ...(run?.unhandledErrors ?? [])]
  return [...outcomes, ...failures.map((error) => fileFailure(file, error))]
}

function fileFailure(file: string, error: string): TestOutcome {
  return {
    file,
    project: '',
    title: `${file} (outside its tests)`,
    ids: [],
    state: 'failed',
    milliseconds: 0,
    error,
    outsideOfTests: true,
    finishedAt: new Date().toISOString(),
  }
}

async function runVitest({ env, folder = root }: TestRunOptions, args: string[]) {
  const runFile = join(folder, `test-results/run-${process.pid}.json`)
  // A reporter named on the command line replaces those of the configuration, ours among them.
  const reporters = args.some((arg) => arg.startsWith('--reporter')) ? [reporter] : []
  const ending = await runShown(vitestCommand([...args, ...reporters]), {
    env: { ...env, [runFileVariable]: runFile },
    folder,
  })
  const run = readRun(runFile)
  rmSync(runFile, { force: true })
  return { run, ending }
}

/** The tests alone do not tell whether a run went well: vitest may crash, find nothing, or fail beside its tests. */
export function judgeRun(run: TestRun | null, { code, signal }: Ending): { tally: Tally; remark?: string } {
  const end = signal ? `signal ${signal}` : `exit code ${code}`
  if (!run) return { tally: oneFailure, remark: `vitest ended without results (${end})` }
  const tally = tallyOf(run)
  if (tally.passed + tally.failed === 0) return { tally: { ...tally, failed: 1 }, remark: 'no test ran' }
  if (code !== 0 && tally.failed === 0) {
    return { tally: { ...tally, failed: 1 }, remark: `every test passed, but vitest ended with ${end}` }
  }
  return { tally }
}

export const oneFailure: Tally = { passed: 0, failed: 1, skipped: 0 }

export function addTallies(tallies: Tally[]): Tally {
  const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/** Ends the output of `npm test`, and records the unsteady tests in test-results/unsteady.json. */
export function printOutcome({ tally, unsteady }: TestRunResult, folder = root) {
  writeJson(join(folder, 'test-results/unsteady.json'), unsteady)
  if (unsteady.length > 0) console.log(`Unsteady: ${unsteady.length}`)
  for (const { file, title, error, passedOn } of unsteady) {
    console.log(`  ${file} > ${title}: passed on attempt ${passedOn} of ${mostAttempts}`)
    console.log(error.replaceAll(/^/gm, '    '))
  }
  if (tally.failed > 0) process.exitCode = 1
  console.log(lastLine(tally))
}

/** Only file filters can rule the console and the browser out; any option may select anything. */
export function needsConsole(args: string[]): boolean {
  if (args.length === 0 || args.some((arg) => arg.startsWith('-'))) return true
  const plain = testProjects.filter((project) => !project.needsServer).flatMap((project) => project.include)
  const folders = plain.map((pattern) => pattern.slice(0, pattern.indexOf('/**')))
  return !args.every((arg) => folders.some((folder) => arg === folder || arg.startsWith(`${folder}/`)))
}
