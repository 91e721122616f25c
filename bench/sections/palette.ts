import { type Entry, groups, sectionsOf } from '../../apps/console/src/palette/entries.ts'
import { searchable } from '../../apps/console/src/palette/fuzzy.ts'
import { median } from '../measure.ts'
import type { Row } from '../table.ts'

const entryCount = 10_000
const queries = ['machine 42 hall', 'drain pump', 'mchn hl', 'zzzz']
const rounds = 9

/** What a letter costs in the command palette: all entries matched, ranked and grouped again. */
export async function measurePalette(): Promise<Row[]> {
  const entries = Array.from({ length: entryCount }, (_, index) => entryOf(index))
  const recent = entries.slice(0, 20).map(({ id }) => id)
  const letters = queries.flatMap((query) => Array.from(query, (_letter, index) => query.slice(0, index + 1)))
  const took = letters.map((text) => {
    const measure = () => {
      const begin = performance.now()
      sectionsOf(entries, text, recent)
      return performance.now() - begin
    }
    measure()
    return Array.from({ length: rounds }, measure)
  })
  const slowest = took.toSorted((a, b) => median(b) - median(a))[0] ?? []
  return [
    {
      name: 'palette, one more letter among 10,000 entries',
      unit: 'ms',
      ours: slowest,
      bar: { kind: 'at most', value: 50 },
      note: `the slowest of ${letters.length} letters; the middle one ${median(took.map(median)).toFixed(1)} ms`,
    },
  ]
}

const things = ['Machine', 'Pump', 'Lamp', 'Gate', 'Sensor', 'Drain', 'Überlauf']

function entryOf(index: number): Entry {
  const label = `${things[index % things.length]} ${index} in hall ${index % 40}`
  return {
    id: `entry ${index}`,
    group: groups[index % groups.length] ?? 'apps',
    label,
    icon: null,
    search: searchable(label, [`works ${index % 7}`, 'plant']),
    run: () => {},
  }
}
