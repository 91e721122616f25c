/** Colour pair of an app, a tag or an avatar; its values are in `desk.css`. */
export type Tint = 'teal' | 'violet' | 'orange' | 'blue' | 'pink' | 'green' | 'olive' | 'slate' | 'red'

/** Tints derived from ids. Slate is reserved for unavailable things, red for errors. */
const chosen: readonly Tint[] = ['teal', 'violet', 'orange', 'blue', 'pink', 'green', 'olive']

/** Returns the tint of an id. The same id always has the same tint. */
export function tintOf(id: string): Tint {
  let hash = 0
  for (const character of id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return chosen[hash % chosen.length] ?? 'teal'
}
