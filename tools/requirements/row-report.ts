import { familyOf, unknownIds } from './ids.ts'
import type { TestOutcome } from './results.ts'
import type { Row } from './rows.ts'

const shownCharacters = 100
type RowState = 'ok' | 'FAIL' | 'skip' | 'none'

export function reportRows(rows: Row[], outcomes: TestOutcome[], prefixes: string[]) {
  const chosen = rows.filter((row) => isChosen(row.id, prefixes))
  const judged = chosen.map((row) => {
    const tests = outcomes.filter((test) => test.ids.includes(row.id))
    return { row, tests, state: stateOf(tests) }
  })
  const unknown = unknownIds(
    outcomes.map((test) => test.title),
    rows,
  )
  const count = (state: RowState) => judged.filter((each) => each.state === state).length
  const lines = judged.flatMap(({ row, tests, state }) => [
    `${state.padEnd(4)} ${row.id}  ${shorten(row.text)}`,
    ...tests.map((test) => `       ${test.state}  ${test.file}: ${test.title}`),
  ])
  if (unknown.length > 0) lines.push(`Titles name unknown ids: ${unknown.join(', ')}`)
  if (prefixes.length > 0 && chosen.length === 0)
    lines.push(`No row's id starts with ${prefixes.join(' or ')}`)
  lines.push(
    `${chosen.length} rows: ${count('ok')} ok, ${count('FAIL')} failing, ${count('skip')} only skipped, ` +
      `${count('none')} without a test (${datesOf(outcomes)})`,
  )
  return {
    lines,
    ok: count('FAIL') === 0 && unknown.length === 0 && (prefixes.length === 0 || chosen.length > 0),
  }
}

/** A prefix is a family (`LOGIN`) or a whole id (`LOGIN-04`). */
function isChosen(id: string, prefixes: string[]) {
  return prefixes.length === 0 || prefixes.some((prefix) => id === prefix || familyOf(id) === prefix)
}

function stateOf(tests: TestOutcome[]): RowState {
  if (tests.some((test) => test.state === 'failed')) return 'FAIL'
  if (tests.some((test) => test.state === 'passed')) return 'ok'
  return tests.length > 0 ? 'skip' : 'none'
}

function shorten(text: string) {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters - 1)}…`
}

function datesOf(outcomes: TestOutcome[]) {
  const dates = outcomes.map((test) => test.finishedAt.slice(0, 16).replace('T', ' ')).toSorted()
  const [first, last] = [dates[0], dates.at(-1)]
  if (!first) return 'no results'
  return first === last ? `results of ${first} UTC` : `results of ${first} to ${last} UTC`
}
