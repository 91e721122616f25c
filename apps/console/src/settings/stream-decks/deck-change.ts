import type { BodyOf, DeckKey, StreamDecks, streamDeckEndpoints } from '@pult/contract'

/** What is sent of the settings. */
export type DeckChange = BodyOf<typeof streamDeckEndpoints.update>

type Field = Exclude<keyof DeckChange, 'keys'>
const fields: readonly Field[] = ['brightness', 'wallpaper', 'wallpaperText', 'mapping']

const isSameKey = (one: Pick<DeckKey, 'slot' | 'key'>, other: Pick<DeckKey, 'slot' | 'key'>) =>
  one.slot === other.slot && one.key === other.key

export const isNothing = (change: DeckChange): boolean => Object.keys(change).length === 0

/** Both changes as one; of what both change the later counts. */
export function merged(earlier: DeckChange, later: DeckChange): DeckChange {
  const kept = earlier.keys?.filter((key) => !later.keys?.some((other) => isSameKey(key, other))) ?? []
  const keys = [...kept, ...(later.keys ?? [])]
  return { ...earlier, ...later, ...(keys.length > 0 && { keys }) }
}

/** The settings as they are after a change. What becomes of a picture is for the server to say. */
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

/** What takes a change back. A picture that is gone does not come back. */
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

/** What is on a key now. */
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

/** Whether somebody else has changed, between two revisions, what a change changes as well, and to something else. */
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

/** The slot that a deck stands in. */
export function slotOf({ mapping }: Pick<StreamDecks, 'mapping'>, serial: string): number | null {
  const found = Object.entries(mapping).find(([, serials]) => serials.includes(serial))
  return found === undefined ? null : Number(found[0])
}

/** The mapping with these serials in a slot: each leaves the slot that it was in. */
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
