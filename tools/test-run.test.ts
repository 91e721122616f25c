import { expect, test } from 'vitest'
import { lastLine, type TestOutcome } from './requirements/results.ts'
import { addTallies, judgeRun, needsConsole, slowestFiles } from './test-run.ts'

const wellEnded = { code: 0, signal: null }

function outcome(state: TestOutcome['state']): TestOutcome {
  return { file: 'a.test.ts', project: 'unit', title: 'a', ids: [], state, milliseconds: 1, finishedAt: '' }
}

test('the last line counts the tests, and mentions skipped tests only if there are any', () => {
  expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(lastLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
})

test('a run counts its tests', () => {
  const tests = [outcome('passed'), outcome('passed'), outcome('skipped')]
  expect(judgeRun({ tests, unhandledErrors: [], onlySomeTests: false }, wellEnded)).toEqual({
    passed: 2,
    failed: 0,
    skipped: 1,
    failures: [],
  })
})

test('a failed test is listed with its file, title and message', () => {
  const tests = [{ ...outcome('failed'), error: 'expected 1 to be 2' }]
  expect(
    judgeRun({ tests, unhandledErrors: [], onlySomeTests: false }, { code: 1, signal: null }).failures,
  ).toEqual(['a.test.ts > a: expected 1 to be 2'])
})

test('each error outside all files counts as failed', () => {
  const run = {
    tests: [outcome('passed')],
    unhandledErrors: ['a socket broke', 'a timer fired late'],
    onlySomeTests: false,
  }
  expect(judgeRun(run, { code: 1, signal: null })).toEqual({
    passed: 1,
    failed: 2,
    skipped: 0,
    failures: ['outside of tests: a socket broke', 'outside of tests: a timer fired late'],
  })
})

test('a crash of vitest counts as failed, with or without results', () => {
  const run = { tests: [outcome('passed')], unhandledErrors: [], onlySomeTests: false }
  expect(judgeRun(null, { code: null, signal: 'SIGKILL' })).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: ['vitest ended without results (signal SIGKILL)'],
  })
  expect(judgeRun(run, { code: 13, signal: null }).failed).toBe(1)
})

test('a run without tests counts as failed', () => {
  expect(judgeRun({ tests: [], unhandledErrors: [], onlySomeTests: false }, wellEnded).failed).toBe(1)
  expect(
    judgeRun({ tests: [outcome('skipped')], unhandledErrors: [], onlySomeTests: false }, wellEnded).failed,
  ).toBe(1)
})

test('tallies are summed', () => {
  const one = { passed: 1, failed: 1, skipped: 3, failures: ['a'] }
  expect(addTallies([one, one])).toEqual({ passed: 2, failed: 2, skipped: 6, failures: ['a', 'a'] })
})

test('only filters for unit tests skip the build of the console', () => {
  expect(needsConsole([])).toBe(true)
  expect(needsConsole(['tools/boundaries', 'packages/contract'])).toBe(false)
  expect(needsConsole(['tools', 'apps/server'])).toBe(true)
  expect(needsConsole(['-t', 'tools'])).toBe(true)
  expect(needsConsole(['toolset'])).toBe(true)
})

test('the list of slowest files sums the tests of a file and starts with the longest', () => {
  const tests = Array.from({ length: 12 }, (_, index) => ({
    ...outcome('passed'),
    file: `${index}.test.ts`,
    milliseconds: 1000 * index,
  }))
  const lines = slowestFiles([...tests, { ...outcome('passed'), file: '5.test.ts', milliseconds: 20_000 }])
  expect(lines).toHaveLength(10)
  expect(lines.slice(0, 2)).toEqual(['   25.0 s  5.test.ts', '   11.0 s  11.test.ts'])
})
