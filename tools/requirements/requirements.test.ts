import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../steps.ts'
import { idsIn, unknownIds } from './ids.ts'
import { failedFiles, mergeOutcomes, type TestOutcome } from './results.ts'
import { reportRows } from './row-report.ts'
import { readRows, rowsIn } from './rows.ts'

const rows = rowsIn(
  '- LOGIN-04 shows Abort\n- LOGIN-05 needs a password\ntext\n- RULE-33 reissues\n  LOGIN-06 no row\n',
)

function outcome(title: string, state: TestOutcome['state'] = 'passed', file = 'a.test.ts'): TestOutcome {
  return {
    file,
    project: 'unit',
    title,
    ids: idsIn(title),
    state,
    milliseconds: 1,
    finishedAt: '2030-01-02T03:04:05Z',
  }
}

test('rows are the lines that begin with an id', () => {
  expect(rows.map((row) => row.id)).toEqual(['LOGIN-04', 'LOGIN-05', 'RULE-33'])
})

test('docs/requirements contains all rows, each id once', () => {
  const ids = readRows().map((row) => row.id)
  expect(new Set(ids).size).toBe(ids.length)
  const families = Object.groupBy(ids, (id) => id.replace(/-\d+$/, ''))
  expect([families.RULE?.length, families.DEC?.length, families.LOGIN?.length]).toEqual([80, 52, 18])
})

test('a title names ids anywhere, including its suites', () => {
  expect(idsIn('LOGIN-04 password step > shows Abort (RULE-33, LOGIN-04)')).toEqual(['LOGIN-04', 'RULE-33'])
  expect(idsIn('hashes with SHA-256 and login-04')).toEqual([])
})

test('an id is unknown if its family has rows, but none with its number', () => {
  expect(unknownIds(['LOGIN-44 typed wrong', 'RULE-33 fine', 'UTF-16 is a word'], rows)).toEqual(['LOGIN-44'])
})

test('no test names an id without a row', () => {
  const files = globSync('{apps,bench,e2e,extensions,packages,tools}/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
  // This file names such ids on purpose.
  const others = files.filter((file) => join(root, file) !== import.meta.filename)
  const known = readRows()
  const wrong = others.flatMap((file) =>
    unknownIds([readFileSync(join(root, file), 'utf8')], known).map((id) => `${file}: ${id}`),
  )
  expect(others.length).toBeGreaterThan(400)
  expect(wrong).toEqual([])
})

test('a row is passing, failing, only skipped or without a test', () => {
  const outcomes = [outcome('LOGIN-04 a'), outcome('LOGIN-04 b', 'failed'), outcome('LOGIN-05', 'skipped')]
  const { lines, ok } = reportRows(rows, outcomes, [])
  expect(ok).toBe(false)
  expect(lines).toEqual([
    'FAIL LOGIN-04  shows Abort',
    '       passed  a.test.ts: LOGIN-04 a',
    '       failed  a.test.ts: LOGIN-04 b',
    'skip LOGIN-05  needs a password',
    '       skipped  a.test.ts: LOGIN-05',
    'none RULE-33  reissues',
    '3 rows: 0 ok, 1 failing, 1 only skipped, 1 without a test (results of 2030-01-02 03:04 UTC)',
  ])
})

test('prefixes select families and rows, and a failing row of another family does not fail them', () => {
  const outcomes = [outcome('LOGIN-04', 'failed'), outcome('RULE-33')]
  expect(reportRows(rows, outcomes, ['RULE']).ok).toBe(true)
  expect(reportRows(rows, outcomes, ['LOGIN-04', 'RULE-33']).lines.at(-1)).toContain(
    '2 rows: 1 ok, 1 failing',
  )
  expect(reportRows(rows, outcomes, ['LOG']).ok).toBe(false)
})

test('an id without a row fails the report', () => {
  const { lines, ok } = reportRows(rows, [outcome('LOGIN-40 a')], [])
  expect(ok).toBe(false)
  expect(lines).toContain('Titles name unknown ids: LOGIN-40')
})

test('a later run replaces the results of its files and drops those of removed files', () => {
  const earlier = [
    outcome('gone from a'),
    outcome('b', 'failed', 'b.test.ts'),
    outcome('c', 'passed', 'removed.test.ts'),
  ]
  const merged = mergeOutcomes(earlier, [outcome('a')], {
    onlySomeTests: false,
    fileExists: (file) => file !== 'removed.test.ts',
  })
  expect(merged.map(({ title }) => title)).toEqual(['b', 'a'])
})

test('a run with a name pattern replaces only the results of its tests', () => {
  const merged = mergeOutcomes([outcome('a', 'failed'), outcome('b')], [outcome('a')], {
    onlySomeTests: true,
    fileExists: () => true,
  })
  expect(merged.map(({ title, state }) => [title, state])).toEqual([
    ['b', 'passed'],
    ['a', 'passed'],
  ])
})

test('a file is listed as failed once, and only if its latest results contain a failure', () => {
  const tests = [
    outcome('one'),
    outcome('two', 'failed', 'b.test.ts'),
    outcome('three', 'failed', 'b.test.ts'),
    outcome('four', 'skipped', 'c.test.ts'),
  ]
  expect(failedFiles(tests)).toEqual(['b.test.ts'])
})
