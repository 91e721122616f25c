import type { BodyOf, DeckKey, StreamDecks, streamDeckEndpoints } from '@pult/contract'

/** Partial settings as sent to the server. */
export type DeckChange = BodyOf<typeof streamDeckEndpoints.update>

type Field = Exclude<keyof DeckChange, 'keys'>
const fields: readonly Field[] = ['brightness', 'wallpaper', 'wallpaperText', 'mapping']

const isSameKey = (one: Pick<DeckKey, 'slot' | 'key'>, other: Pick<DeckKey, 'slot' | 'key'>) =>
  one.slot === other.slot && one.key === other.key

export const isNothing = (change: DeckChange): boolean => Object.keys(change).length === 0

/** Returns the parts of a change that can be saved independently of each other: each field, and each key. */
export function partsOf({ keys = [], ...change }: DeckChange): DeckChange[] {
  const ofFields = Object.entries(change).map(([field, value]): DeckChange => ({ [field]: value }))
  return [...ofFields, ...keys.map((key): DeckChange => ({ keys: [key] }))]
}

/** Merges two changes. The later value wins. */
export function merged(earlier: DeckChange, later: DeckChange): DeckChange {
  const kept = earlier.keys?.filter((key) => !later.keys?.some((other) => isSameKey(key, other))) ?? []
  const keys = [...kept, ...(later.keys ?? [])]
  return { ...earlier, ...later, ...(keys.length > 0 && { keys }) }
}

/** Returns the settings after a change. Only the server knows the address of a new picture. */
export function withChange(settings: StreamDecks, change: DeckChange): StreamDecks {
  const { brightness, wallpaper, wallpaperText, mapping, keys } = change
  const others = settings.keys.filter((key) => !keys?.some((changed) => isSameKey(key, changed)))
  const changed = keys?.filter((key) => !isEmpty(key)) ?? []
  return {
    ...settings,
    ...(brightness !== undefined && { brightness }),
    ...(wallpaper === null && { wallpaper, wallpaperSrc: null }),
    ...(wallpaperText !== undefined && { wallpaperText }),
    ...(mapping !== undefined && { mapping }),
    keys: keys === undefined ? settings.keys : [...others, ...changed],
  }
}

const isEmpty = ({ label, icon, action }: DeckKey) => label === '' && icon === null && action === null

/** Returns the inverse of a change. A deleted picture cannot be restored. */
export function inverseOf(
  settings: StreamDecks,
  { wallpaper: _gone, keys, ...change }: DeckChange,
): DeckChange {
  const before = Object.fromEntries(
    fields.flatMap((field) => (field in change && field !== 'wallpaper' ? [[field, settings[field]]] : [])),
  ) as DeckChange
  if (keys === undefined) return before
  return { ...before, keys: keys.map((key) => keyAt(settings, key)) }
}

/** Returns the current content of a key. */
export function keyAt({ keys }: StreamDecks, place: Pick<DeckKey, 'slot' | 'key'>): DeckKey {
  const found = keys.find((key) => isSameKey(key, place))
  return (
    found ?? {
      slot: place.slot,
      key: place.key,
      label: '',
      icon: null,
      action: null,
    }
  )
}

/** Returns whether another client has changed the same fields between two revisions, to different values. */
export function isContested(base: StreamDecks, current: StreamDecks, mine: DeckChange): boolean {
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
  const isField = fields.some(
    (field) => field in mine && differs(base[field], current[field]) && differs(current[field], mine[field]),
  )
  return (
    isField ||
    (mine.keys ?? []).some((key) => {
      const [before, now] = [keyAt(base, key), keyAt(current, key)]
      return differs(before, now) && differs(now, key)
    })
  )
}

/** Returns the slot of a deck. */
export function slotOf({ mapping }: Pick<StreamDecks, 'mapping'>, serial: string): number | null {
  const found = Object.entries(mapping).find(([, serials]) => serials.includes(serial))
  return found === undefined ? null : Number(found[0])
}

/** Returns the mapping with these serials in a slot. Each leaves its previous slot. */
export function withSerials(
  mapping: StreamDecks['mapping'],
  slot: number,
  serials: readonly string[],
): StreamDecks['mapping'] {
  const others = Object.entries(mapping)
    .filter(([index]) => Number(index) !== slot)
    .map(([index, present]): [string, string[]] => [
      index,
      present.filter((serial) => !serials.includes(serial)),
    ])
  const all: [string, string[]][] = [...others, [String(slot), [...serials]]]
  return Object.fromEntries(all.filter(([, present]) => present.length > 0))
}
