import { expect, test } from 'vitest'
import { runSections } from './run-sections.ts'
import type { Row } from './table.ts'

const row = (name: string): Row => ({ name, unit: '', ours: [1] })

async function* failing(): AsyncGenerator<Row> {
  yield row('first')
  throw new Error('the drill failed')
}

async function* whole(): AsyncGenerator<Row> {
  yield row('second')
}

test('the rows of a failed section are kept, and the next section is measured', async () => {
  const ended: string[] = []
  const sections = [
    { name: 'backup', measure: failing },
    { name: 'start', measure: whole },
  ]
  const { rows, failures } = await runSections(sections, new AbortController().signal, (name) =>
    ended.push(name),
  )
  expect(rows.map(({ name }) => name)).toEqual(['first', 'second'])
  expect(failures).toEqual(['backup ended after 1 rows: the drill failed'])
  expect(ended).toEqual(['backup', 'start'])
})

test('an interrupt keeps the rows, does not wait for the section and starts no other section', async () => {
  const interrupt = new AbortController()
  async function* hanging(): AsyncGenerator<Row> {
    yield row('first')
    interrupt.abort()
    await new Promise(() => {})
  }
  const sections = [
    { name: 'backup', measure: hanging },
    { name: 'start', measure: whole },
  ]
  const { rows, failures } = await runSections(sections, interrupt.signal, () => {})
  expect(rows.map(({ name }) => name)).toEqual(['first'])
  expect(failures).toEqual(['backup ended after 1 rows: interrupted'])
})
