import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface TestOutcome {
  /** Path relative to the project's root. */
  file: string
  project: string
  /** Titles of the suites and the test, joined by ' > '. */
  title: string
  ids: string[]
  state: 'passed' | 'failed' | 'skipped'
  milliseconds: number
  finishedAt: string
  /** The first message of a failed test. */
  error?: string
  /** True for a failure outside tests: an import, a hook, an unhandled error or a crash. */
  outsideOfTests?: true
}

/** The outcome of one run of vitest. */
export interface TestRun {
  tests: TestOutcome[]
  /** Errors outside all files. */
  unhandledErrors: string[]
  /** Whether a name pattern selected the tests. */
  onlySomeTests: boolean
}

export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** One line per failure, for the end of the output. */
  failures: string[]
}

const resultsFile = 'test-results/results.json'

/** Environment variable that names the file to which a run of `npm test` writes its outcome. */
export const runFileVariable = 'PULT_TEST_RUN_FILE'

export function tallyOf(run: TestRun): Tally {
  const count = (state: TestOutcome['state']) => run.tests.filter((test) => test.state === state).length
  return {
    passed: count('passed'),
    failed: count('failed') + run.unhandledErrors.length,
    skipped: count('skipped'),
    failures: [
      ...run.tests
        .filter((test) => test.state === 'failed')
        .map(({ file, title, error }) => [`${file} > ${title}`, error].filter(Boolean).join(': ')),
      ...run.unhandledErrors.map((message) => `outside of tests: ${message}`),
    ],
  }
}

export function lastLine({ passed, failed, skipped }: Omit<Tally, 'failures'>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Returns the latest result of every test that may still exist. A run of some files replaces only their results. A run
 * with a name pattern covers only some tests of its files.
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

/** Lists the files with a failed test, each once. */
export function failedFiles(tests: TestOutcome[]): string[] {
  return [...new Set(tests.filter(({ state }) => state === 'failed').map(({ file }) => file))]
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
