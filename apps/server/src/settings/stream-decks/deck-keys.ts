import type { DeckKey } from '@pult/contract'

/** The display and action of a key. */
type KeyFace = Omit<DeckKey, 'slot' | 'key'>

/** The faces of all keys that have one, by `slot/key`. */
export type KeyFaces = Record<string, KeyFace>

const placeOf = ({ slot, key }: Pick<DeckKey, 'slot' | 'key'>) => `${slot}/${key}`

export const faceOf = (faces: KeyFaces, place: Pick<DeckKey, 'slot' | 'key'>): KeyFace | undefined =>
  faces[placeOf(place)]

/** Returns the faces after a change of these keys. A key without content is removed. */
export function withKeys(faces: KeyFaces, keys: readonly DeckKey[]): KeyFaces {
  const after = new Map(Object.entries(faces))
  for (const { slot, key, ...face } of keys) {
    const isEmpty = face.label === '' && face.icon === null && face.action === null
    if (isEmpty) after.delete(placeOf({ slot, key }))
    else after.set(placeOf({ slot, key }), face)
  }
  return Object.fromEntries(after)
}

/** Returns the keys ordered by slot and key. */
export function listOfKeys(faces: KeyFaces): DeckKey[] {
  const keys = Object.entries(faces).map(([place, face]) => {
    const [slot = 0, key = 0] = place.split('/').map(Number)
    return { slot, key, ...face }
  })
  return keys.toSorted((a, b) => a.slot - b.slot || a.key - b.key)
}
