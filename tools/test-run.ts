import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  lastLine,
  readRun,
  runFileVariable,
  type Tally,
  type TestRun,
  tallyOf,
} from './requirements/results.ts'
import { type Ending, root, runShown, vitestCommand } from './steps.ts'
import { testProjects } from './test-projects.ts'

const reporter = '--reporter=./tools/requirements/reporter.ts'

export async function runVitest(args: string[], env: NodeJS.ProcessEnv): Promise<Tally> {
  const runFile = join(root, `test-results/run-${process.pid}.json`)
  // A reporter named on the command line replaces those of the configuration, ours among them.
  const reporters = args.some((arg) => arg.startsWith('--reporter')) ? [reporter] : []
  const ending = await runShown(vitestCommand([...args, ...reporters]), {
    ...env,
    [runFileVariable]: runFile,
  })
  const run = readRun(runFile)
  rmSync(runFile, { force: true })
  const { tally, remark } = judgeRun(run, ending)
  if (remark) console.log(remark)
  for (const { file, title, failedFirst } of run?.tests ?? []) {
    if (failedFirst !== undefined)
      console.log(`Failed first, then passed: ${file} > ${title}\n${failedFirst}`)
  }
  return tally
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

export function printOutcome(tally: Tally) {
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
