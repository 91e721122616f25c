import type { Condition } from '@pult/contract'
import type { Sentence } from '#platform/language.ts'
import { addedIn, isShortened, type ValuesGrowth } from '../edges/values/growth.ts'

type Level = Condition['checks'][number]['level']
type Add = (id: string, level: Level, what: Sentence, fix: Sentence) => void

/** The recorded values of edges. */
export interface ValuesFacts {
  growths: readonly ValuesGrowth[]
  /** Free bytes of the disk of the database; undefined if unknown. */
  free: number | undefined
}

/** Days before which a quota is named. */
const quotaAhead = 7

/** Days before which a full disk is named: a larger disk takes longer than a larger quota. */
const diskAhead = 30

function sized(bytes: number, locale: string): string {
  const [size, unit] = bytes >= 1e9 ? [1e9, 'GB'] : [1e6, 'MB']
  return `${(bytes / size).toLocaleString(locale, { maximumFractionDigits: 1 })} ${unit}`
}

/** Adds a check for quotas that shorten the retention of values, and one for a disk that their growth fills. */
export function checkValues({ growths, free }: ValuesFacts, add: Add): void {
  const full = growths
    .filter((growth) => isShortened(growth, quotaAhead))
    .toSorted((one, other) => other.needed - one.needed)
  const [largest] = full
  if (largest !== undefined) {
    const { label, needed } = largest
    const count = full.length
    add(
      'values.quota',
      'warning',
      {
        de: `The recorded values of ${count === 1 ? '1 project' : `${count} projects`} reach EDGE_VALUES_QUOTA within ${quotaAhead} days or have reached it: the server deletes them before their retention ends. ${label} needs the most, about ${sized(needed, 'en-GB')}`,
        'de-DE': `Die aufgezeichneten Werte von ${count === 1 ? '1 Projekt' : `${count} Projekten`} erreichen EDGE_VALUES_QUOTA in höchstens ${quotaAhead} Tagen oder haben es erreicht: Der Server löscht sie vor dem Ende ihrer Aufbewahrung. Am meisten braucht ${label}, etwa ${sized(needed, 'de-DE')}`,
      },
      {
        de: 'Raise EDGE_VALUES_QUOTA, shorten the retention of values on the Root page, or let the programs of the edges report fewer values',
        'de-DE':
          'Erhöhen Sie EDGE_VALUES_QUOTA, verkürzen Sie auf der Seite Root die Aufbewahrung der Werte, oder lassen Sie die Programme der Edges weniger Werte melden',
      },
    )
  }
  const addedAfter = (days: number) => growths.reduce((sum, growth) => sum + addedIn(growth, days), 0)
  const days = Array.from({ length: diskAhead }, (_, index) => index + 1).find(
    (each) => addedAfter(each) > (free ?? Infinity),
  )
  if (days !== undefined) {
    const perDay = addedAfter(days) / days
    add(
      'values.disk',
      'warning',
      {
        de: `Recorded values grow by ${sized(perDay, 'en-GB')} a day: the disk of the database has room for less than ${days === 1 ? 'a day' : `${days} days`}`,
        'de-DE': `Die aufgezeichneten Werte wachsen um ${sized(perDay, 'de-DE')} am Tag: Auf dem Datenträger der Datenbank ist Platz für weniger als ${days === 1 ? 'einen Tag' : `${days} Tage`}`,
      },
      {
        de: 'Enlarge the disk, shorten the retention of values on the Root page, or lower EDGE_VALUES_QUOTA',
        'de-DE':
          'Vergrößern Sie den Datenträger, verkürzen Sie auf der Seite Root die Aufbewahrung der Werte, oder senken Sie EDGE_VALUES_QUOTA',
      },
    )
  }
}
