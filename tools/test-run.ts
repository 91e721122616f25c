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
} from './requirements/results.ts'
import { type Ending, root, runShown, vitestCommand } from './steps.ts'
import { testProjects } from './test-projects.ts'

const reporter = '--reporter=./tools/requirements/reporter.ts'

/** Runs vitest and tallies its tests. A run that exceeds `limit` milliseconds ends and counts as failed. */
export async function runVitest(args: string[], env: NodeJS.ProcessEnv, limit?: number): Promise<Tally> {
  const runFile = join(root, `test-results/run-${process.pid}.json`)
  // A reporter on the command line replaces the reporters of the configuration, including ours.
  const reporters = args.some((arg) => arg.startsWith('--reporter')) ? [reporter] : []
  const command = vitestCommand([...args, ...reporters])
  const ending = await runShown(command, { ...env, [runFileVariable]: runFile }, limit)
  const run = readRun(runFile)
  rmSync(runFile, { force: true })
  if (run) for (const line of slowestFiles(run.tests)) console.log(line)
  return judgeRun(run, ending)
}

/** Lists the ten files whose tests took longest, in seconds. The time to import a file is not part of it. */
export function slowestFiles(tests: TestOutcome[]): string[] {
  const seconds = new Map<string, number>()
  for (const { file, milliseconds } of tests)
    seconds.set(file, (seconds.get(file) ?? 0) + milliseconds / 1000)
  return [...seconds]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([file, time]) => `${time.toFixed(1).padStart(7)} s  ${file}`)
}

/** Judges a run by more than its tests: vitest can crash, find no test, or fail outside of its tests. */
export function judgeRun(run: TestRun | null, { code, signal }: Ending): Tally {
  const end = signal ? `signal ${signal}` : `exit code ${code}`
  if (!run) return oneFailure(`vitest ended without results (${end})`)
  const tally = tallyOf(run)
  const broken = (reason: string): Tally => ({ ...tally, failed: 1, failures: [reason] })
  if (tally.passed + tally.failed === 0) return broken('no test ran')
  if (code !== 0 && tally.failed === 0) return broken(`every test passed, but vitest ended with ${end}`)
  return tally
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

/** Prints the failures once more, because a reader often has only the end of the output. */
export function printOutcome(tally: Tally) {
  if (tally.failed > 0) process.exitCode = 1
  for (const failure of tally.failures) console.log(`Failed: ${failure}`)
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
