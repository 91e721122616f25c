type TextElement = HTMLInputElement | HTMLTextAreaElement

/** Code units for each character, as on the server: an accent or a part of an emoji has its own units. */
const unitsPerCharacter = 4

/** Returns the native attribute, which counts UTF-16 code units and so must not end at the limit of characters. */
export const unitsOf = (characters: number | undefined): number | undefined =>
  characters === undefined ? undefined : characters * unitsPerCharacter

const charactersOf = (text: string) =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)

/**
 * Removes from the typed or pasted text what exceeds the limit, in characters as readers see them: the native attribute
 * counts an emoji several times and cuts it. Text behind the caret stays.
 */
export function limitCharacters(field: TextElement, most: number | undefined, event: Event): void {
  const { value } = field
  const isComposing = event instanceof InputEvent && event.isComposing
  if (most === undefined || value.length <= most || isComposing) return
  const surplus = charactersOf(value).length - most
  if (surplus <= 0) return
  // Null for types without a selection, such as e-mail addresses.
  const caret = field.selectionEnd ?? value.length
  const before = charactersOf(value.slice(0, caret))
  const kept = before.slice(0, Math.max(0, before.length - surplus)).join('')
  field.value = kept + value.slice(caret)
  if (field.selectionEnd !== null) field.setSelectionRange(kept.length, kept.length)
}
