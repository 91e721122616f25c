import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface TestOutcome {
  /** Path from the project's root. */
  file: string
  project: string
  /** Titles of the suites around the test and its own, joined by ' > '. */
  title: string
  ids: string[]
  state: 'passed' | 'failed' | 'skipped'
  milliseconds: number
  /** The first error of a test that failed. */
  error?: string
  /** Stands for a failure of the file itself: an import, a hook, an unhandled error or a crash. It is no test. */
  outsideOfTests?: true
  finishedAt: string
}

/** The outcome of one run of vitest. */
export interface TestRun {
  tests: TestOutcome[]
  /** Errors that belong to no file. */
  unhandledErrors: string[]
  /** Whether a name pattern chose some tests of each file. */
  onlySomeTests: boolean
}

export interface Tally {
  passed: number
  failed: number
  skipped: number
}

const resultsFile = 'test-results/results.json'

/** `npm test` names here the file in which it expects the outcome of exactly its own run. */
export const runFileVariable = 'PULT_TEST_RUN_FILE'

export function tallyOf(run: TestRun): Tally {
  const count = (state: TestOutcome['state']) => run.tests.filter((test) => test.state === state).length
  return {
    passed: count('passed'),
    failed: count('failed') + run.unhandledErrors.length,
    skipped: count('skipped'),
  }
}

export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * The last result of every test that still may exist: a run of some files replaces only what it ran. With a name
 * pattern it ran only some tests of its files.
 */
export function mergeOutcomes(
  earlier: TestOutcome[],
  latest: TestOutcome[],
  options: { onlySomeTests: boolean; fileExists: (file: string) => boolean },
): TestOutcome[] {
  const keyOf = options.onlySomeTests
    ? (test: TestOutcome) => `${test.file}\n${test.title}`
    : (test: TestOutcome) => test.file
  const replaced = new Set(latest.map(keyOf))
  const kept = earlier.filter((test) => !replaced.has(keyOf(test)) && options.fileExists(test.file))
  return [...kept, ...latest]
}

export function readResults(root: string): TestOutcome[] | null {
  const file = join(root, resultsFile)
  if (!existsSync(file)) return null
  return (JSON.parse(readFileSync(file, 'utf8')) as { tests: TestOutcome[] }).tests
}

export function readRun(file: string): TestRun | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestRun) : null
}

export function writeRun(root: string, run: TestRun, runFile?: string) {
  const tests = mergeOutcomes(readResults(root) ?? [], run.tests, {
    onlySomeTests: run.onlySomeTests,
    fileExists: (file) => existsSync(join(root, file)),
  })
  writeJson(join(root, resultsFile), { tests })
  if (runFile) writeJson(runFile, run)
}

export function writeJson(file: string, content: unknown) {
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(content, null, 1)}\n`)
  renameSync(unfinished, file)
}
