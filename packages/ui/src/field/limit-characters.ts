import { charactersOf } from '../text/characters.ts'

type TextElement = HTMLInputElement | HTMLTextAreaElement

/** Code units for each character, as on the server: an accent or a part of an emoji has its own units. */
const unitsPerCharacter = 4

/** Returns the native attribute, which counts UTF-16 code units and so must not end at the limit of characters. */
export const unitsOf = (characters: number | undefined): number | undefined =>
  characters === undefined ? undefined : characters * unitsPerCharacter

/**
 * Removes from the typed or pasted text what exceeds the limit, in characters as readers see them: the native attribute
 * counts an emoji several times and cuts it. Text behind the caret stays.
 */
export function limitCharacters(field: TextElement, most: number | undefined, event: Event): void {
  if (most === undefined || field.value.length <= most) return
  if (event instanceof InputEvent && event.isComposing) {
    // The last input of a composition is marked as well, and no other follows in some browsers.
    field.addEventListener('compositionend', () => cutComposed(field, most), { once: true })
    return
  }
  const { start, end, rest } = surplusOf(field, most)
  if (start === end) return
  field.value = rest
  // Null for types without a selection, such as e-mail addresses.
  if (field.selectionEnd !== null) field.setSelectionRange(start, start)
}

function cutComposed(field: TextElement, most: number): void {
  const { start, end } = surplusOf(field, most)
  if (start === end || field.selectionEnd === null) return
  // React would not detect a new `value`, so it would ignore the event.
  field.setRangeText('', start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Returns the range before the caret that exceeds the limit, and the text without it. */
function surplusOf({ value, selectionEnd }: TextElement, most: number) {
  const end = selectionEnd ?? value.length
  const surplus = charactersOf(value).length - most
  if (surplus <= 0) return { start: end, end, rest: value }
  const before = charactersOf(value.slice(0, end))
  const kept = before.slice(0, Math.max(0, before.length - surplus)).join('')
  return { start: kept.length, end, rest: kept + value.slice(end) }
}
