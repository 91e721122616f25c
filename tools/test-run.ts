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
import { mostAttempts, retryFailedFiles, type UnsteadyTest } from './retries.ts'
import { type Ending, root, runShown, vitestCommand } from './steps.ts'
import { testProjects } from './test-projects.ts'

const reporter = `--reporter=${join(import.meta.dirname, 'requirements/reporter.ts')}`

/** Latest start of a retry, in milliseconds since the start of this process. */
const latestRetry = 120 * 60_000

export interface TestRunOptions {
  args: string[]
  env: NodeJS.ProcessEnv
  /** The project whose tests run. */
  folder?: string
}

export interface TestRunResult {
  tally: Tally
  unsteady: UnsteadyTest[]
}

/** Runs all selected tests once, then repeats the failed files. */
export async function runTests(options: TestRunOptions): Promise<TestRunResult> {
  const { folder = root, args } = options
  const { run, ending } = await runVitest(options, args)
  if (run) for (const line of slowestFiles(run.tests)) console.log(line)
  const tally = judgeRun(run, ending)
  // Repeated files cannot clear an error outside all files.
  if (run === null || run.unhandledErrors.length > 0 || brokenRun(run, ending) !== null)
    return { tally, unsteady: [] }

  const retried = await retryFailedFiles(run.tests, {
    isTooLate: () => performance.now() > latestRetry,
    runAgain: (file, attempt) => {
      console.log(`\nRunning ${file} again, attempt ${attempt} of ${mostAttempts}`)
      return runAlone(options, file)
    },
  })
  if (retried.remark !== undefined) console.log(retried.remark)
  const repeated = { ...run, tests: retried.tests }
  writeRun(folder, repeated)
  return { tally: tallyOf(repeated), unsteady: retried.unsteady }
}

/** Runs one file alone in a separate process, with a separate database and browser. */
async function runAlone(options: TestRunOptions, file: string): Promise<TestOutcome[]> {
  const { folder = root, args } = options
  const { parseCLI } = await import('vitest/node')
  const filters = parseCLI(['vitest', 'run', ...args]).filter
  const others = args.filter((arg) => !filters.includes(arg))
  const { run, ending } = await runVitest(options, [...others, join(folder, file)])
  const outcomes = run?.tests.filter((test) => test.file === file) ?? []
  const broken = brokenRun(run, ending)
  const failures = [...(broken === null ? [] : [broken]), ...(run?.unhandledErrors ?? [])]
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
  // A reporter on the command line replaces all reporters of the configuration, including the one for results.
  const reporters = args.some((arg) => arg.startsWith('--reporter')) ? [reporter] : []
  const ending = await runShown(vitestCommand([...args, ...reporters]), {
    env: { ...env, [runFileVariable]: runFile },
    folder,
  })
  const run = readRun(runFile)
  rmSync(runFile, { force: true })
  return { run, ending }
}

/** Lists the ten files with the longest tests, in seconds without the time of imports. */
export function slowestFiles(tests: TestOutcome[]): string[] {
  const seconds = new Map<string, number>()
  for (const { file, milliseconds } of tests)
    seconds.set(file, (seconds.get(file) ?? 0) + milliseconds / 1000)
  return [...seconds]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([file, time]) => `${time.toFixed(1).padStart(7)} s  ${file}`)
}

/** Judges a run by its tests and by vitest itself, which can crash, find no test or fail outside of tests. */
export function judgeRun(run: TestRun | null, ending: Ending): Tally {
  const broken = brokenRun(run, ending)
  return addTallies([...(run ? [tallyOf(run)] : []), ...(broken === null ? [] : [oneFailure(broken)])])
}

/** Returns the fault of a run apart from its tests, or null. */
function brokenRun(run: TestRun | null, { code, signal }: Ending): string | null {
  const end = signal ? `signal ${signal}` : `exit code ${code}`
  if (!run) return `vitest ended without results (${end})`
  const { passed, failed } = tallyOf(run)
  if (passed + failed === 0) return 'no test ran'
  return code !== 0 && failed === 0 ? `every test passed, but vitest ended with ${end}` : null
}

export const onePass: Tally = { passed: 1, failed: 0, skipped: 0, failures: [] }

export function oneFailure(reason: string): Tally {
  return { passed: 0, failed: 1, skipped: 0, failures: [reason] }
}

export function addTallies(tallies: Tally[]): Tally {
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    tallies.reduce((total, tally) => total + tally[key], 0)
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: tallies.flatMap((tally) => tally.failures),
  }
}

/**
 * Ends the output of `npm test`, and records the unsteady tests in test-results/unsteady.json. It repeats the failures,
 * because a reader often has only the end of the output.
 */
export function printOutcome({ tally, unsteady }: TestRunResult, folder = root) {
  writeJson(join(folder, 'test-results/unsteady.json'), unsteady)
  if (unsteady.length > 0) console.log(`Unsteady: ${unsteady.length}`)
  for (const { file, title, error, passedOn } of unsteady)
    console.log(`  ${file} > ${title}: passed on attempt ${passedOn} of ${mostAttempts}\n    ${error}`)
  for (const failure of tally.failures) console.log(`Failed: ${failure}`)
  if (tally.failed > 0) process.exitCode = 1
  console.log(lastLine(tally))
}

/**
 * Returns whether a run may need the console and the browser. Only file filters can exclude them, because an option
 * can select any test.
 */
export function needsConsole(args: string[]): boolean {
  if (args.length === 0 || args.some((arg) => arg.startsWith('-'))) return true
  const plain = testProjects
    .filter(({ needsServer, needsBrowser }) => !needsServer && !needsBrowser)
    .flatMap((project) => project.include)
  const folders = plain.map((pattern) => pattern.slice(0, pattern.indexOf('/**')))
  return !args.every((arg) => folders.some((folder) => arg === folder || arg.startsWith(`${folder}/`)))
}
