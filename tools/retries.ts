import type { TestOutcome } from './requirements/results.ts'

/** More failed files than this indicate a broken product, and retries would only delay the result. */
export const mostFailingFiles = 25

/** Maximum number of runs of a file, including the run of all tests. */
export const mostAttempts = 3

/** A test that failed on one attempt and passed on another. */
export interface UnsteadyTest {
  file: string
  title: string
  /** Message of the first failure. */
  error: string
  /** First attempt on which the test passed. Attempt 1 is the run of all tests. */
  passedOn: number
}

export interface RetryResult {
  /** Each test once: passed if it passed on any attempt. */
  tests: TestOutcome[]
  unsteady: UnsteadyTest[]
  /** Why failed files did not run again. */
  remark?: string
}

export interface RetryOptions {
  /** Runs one file alone and returns its outcomes. */
  runAgain: (file: string, attempt: number) => Promise<TestOutcome[]>
  /** Returns whether another attempt would begin too late. */
  isTooLate: () => boolean
}

/**
 * Distinguishes a broken product from a busy machine: runs each failed file again, up to two more times. A test that
 * fails on all three attempts has failed; a test that passes on one of them is unsteady.
 */
export async function retryFailedFiles(
  first: TestOutcome[],
  { runAgain, isTooLate }: RetryOptions,
): Promise<RetryResult> {
  const files = new Set(first.filter(({ state }) => state === 'failed').map(({ file }) => file))
  if (files.size > mostFailingFiles) {
    return { tests: first, unsteady: [], remark: `${files.size} files failed: too many to run them again` }
  }
  const tests = first.filter(({ file }) => !files.has(file))
  const unsteady: UnsteadyTest[] = []
  let remark: string | undefined
  for (const file of files) {
    const attempts = [first.filter((test) => test.file === file)]
    let judged = judgeAttempts(attempts)
    while (judged.tests.some(({ state }) => state === 'failed') && attempts.length < mostAttempts) {
      if (isTooLate()) {
        remark = 'The run had already taken too long to repeat the failed files'
        break
      }
      attempts.push(await runAgain(file, attempts.length + 1))
      judged = judgeAttempts(attempts)
    }
    tests.push(...judged.tests)
    unsteady.push(...judged.unsteady)
  }
  return { tests, unsteady, ...(remark !== undefined && { remark }) }
}

/** Judges the attempts of one file. */
function judgeAttempts(attempts: TestOutcome[][]): Pick<RetryResult, 'tests' | 'unsteady'> {
  const histories = Map.groupBy(attempts.flatMap(numbered), ({ key }) => key)
  const tests: TestOutcome[] = []
  const unsteady: UnsteadyTest[] = []
  const note = ({ file, title, error = 'no message' }: TestOutcome, passedOn: number) =>
    unsteady.push({ file, title, error, passedOn })

  for (const history of histories.values()) {
    const passed = history.find(({ outcome }) => outcome.state === 'passed')
    const failed = history.filter(({ outcome }) => outcome.state === 'failed')
    const last = passed ?? failed.at(-1) ?? history.at(-1)
    if (last) tests.push(last.outcome)
    if (passed && failed[0]) note(failed[0].outcome, passed.attempt)
  }

  // A failed import or hook prevents tests from running, so after such a failure a file needs one attempt without it.
  const outside = attempts.map((outcomes) => outcomes.filter(isOutside))
  const broken = outside.findIndex((failures) => failures.length > 0)
  const [firstFailure] = outside[broken] ?? []
  if (firstFailure) {
    const clean = outside.findIndex((failures, index) => index > broken && failures.length === 0)
    if (clean === -1) tests.push(...(outside.findLast((failures) => failures.length > 0) ?? []))
    else note(firstFailure, clean + 1)
  }
  return { tests, unsteady }
}

/** Returns the tests of an attempt, numbered by order to distinguish equal titles. */
function numbered(outcomes: TestOutcome[], index: number) {
  const seen = new Map<string, number>()
  return outcomes
    .filter((outcome) => !isOutside(outcome))
    .map((outcome) => {
      const nth = (seen.get(outcome.title) ?? 0) + 1
      seen.set(outcome.title, nth)
      return { key: `${nth} ${outcome.title}`, attempt: index + 1, outcome }
    })
}

const isOutside = ({ outsideOfTests }: TestOutcome) => outsideOfTests === true
