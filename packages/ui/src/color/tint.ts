/** Colour pair of an app, a tag or a face; its values are in `desk.css`. */
export type Tint = 'teal' | 'violet' | 'orange' | 'blue' | 'pink' | 'green' | 'olive' | 'slate' | 'red'

/** Tints that an id may choose. Slate is for what is not available, red for errors. */
const chosen: readonly Tint[] = ['teal', 'violet', 'orange', 'blue', 'pink', 'green', 'olive']

/** Returns the tint of an id: the same id always has the same one. */
export function tintOf(id: string): Tint {
  let hash = 0
  for (const character of id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return chosen[hash % chosen.length] ?? 'teal'
}
