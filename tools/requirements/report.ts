// npm run requirements [PREFIX ...]: lists every requirement, rule and decision with the tests that name it.

import { root } from '../steps.ts'
import { readResults } from './results.ts'
import { reportRows } from './row-report.ts'
import { readRows } from './rows.ts'

const outcomes = readResults(root)
if (outcomes) {
  const report = reportRows(readRows(), outcomes, process.argv.slice(2))
  console.log(report.lines.join('\n'))
  if (!report.ok) process.exitCode = 1
} else {
  console.error('There are no results yet: run npm test first.')
  process.exitCode = 1
}
