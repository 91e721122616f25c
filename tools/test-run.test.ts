import { expect, test } from 'vitest'
import { lastLine, type TestOutcome } from './requirements/results.ts'
import { addTallies, judgeRun, needsConsole } from './test-run.ts'

const wellEnded = { code: 0, signal: null }

function outcome(state: TestOutcome['state']): TestOutcome {
  return { file: 'a.test.ts', project: 'unit', title: 'a', ids: [], state, milliseconds: 1, finishedAt: '' }
}

test('the last line counts, and tells of skipped tests only when there are any', () => {
  expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(lastLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
})

test('a run counts its tests', () => {
  const tests = [outcome('passed'), outcome('passed'), outcome('skipped')]
  expect(judgeRun({ tests, unhandledErrors: [], onlySomeTests: false }, wellEnded).tally).toEqual({
    passed: 2,
    failed: 0,
    skipped: 1,
  })
})

test('each error that belongs to no file counts as failed', () => {
  const run = {
    tests: [outcome('passed')],
    unhandledErrors: ['a socket broke', 'a timer fired late'],
    onlySomeTests: false,
  }
  expect(judgeRun(run, { code: 1, signal: null }).tally).toEqual({ passed: 1, failed: 2, skipped: 0 })
})

test('a crash of vitest counts as failed, with or without results', () => {
  const run = { tests: [outcome('passed')], unhandledErrors: [], onlySomeTests: false }
  expect(judgeRun(null, { code: null, signal: 'SIGKILL' })).toEqual({
    tally: { passed: 0, failed: 1, skipped: 0 },
    remark: 'vitest ended without results (signal SIGKILL)',
  })
  expect(judgeRun(run, { code: 13, signal: null }).tally.failed).toBe(1)
})

test('a run without a single test counts as failed', () => {
  expect(judgeRun({ tests: [], unhandledErrors: [], onlySomeTests: false }, wellEnded).tally.failed).toBe(1)
  expect(
    judgeRun({ tests: [outcome('skipped')], unhandledErrors: [], onlySomeTests: false }, wellEnded).tally
      .failed,
  ).toBe(1)
})

test('tallies add up', () => {
  const one = { passed: 1, failed: 2, skipped: 3 }
  expect(addTallies([one, one])).toEqual({ passed: 2, failed: 4, skipped: 6 })
})

test('only filters for plain unit tests spare the console’s build', () => {
  expect(needsConsole([])).toBe(true)
  expect(needsConsole(['tools/boundaries', 'packages/contract'])).toBe(false)
  expect(needsConsole(['tools', 'apps/server'])).toBe(true)
  expect(needsConsole(['-t', 'tools'])).toBe(true)
  expect(needsConsole(['toolset'])).toBe(true)
})
