import { hasAppleKeyboard } from './shortcut.ts'

/** A `keydown` of the document or of React. */
type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'shiftKey' | 'getModifierState'>

/** Characters of scripts other than Latin. Signs that several scripts share, such as § and µ, are on Latin keyboards. */
const otherScript = /^(?:\p{scx=Arab}|(?![\p{ASCII}\p{sc=Latn}\p{sc=Zyyy}])[\p{L}\p{M}\p{Nd}])+$/u

/** With Option, Apple keyboards type another character or begin an accent. */
const typedWithOption = /^(?:\P{ASCII}+|Dead)$/u

/** What an English keyboard types in these places, without and with Shift. */
const signs: Record<string, string> = {
  Backquote: '`~',
  Backslash: '\\|',
  BracketLeft: '[{',
  BracketRight: ']}',
  Comma: ',<',
  Equal: '=+',
  Minus: '-_',
  Period: '.>',
  Quote: `'"`,
  Semicolon: ';:',
  Slash: '/?',
}

/**
 * Returns the key of a shortcut in lower case. Layouts of other scripts (Cyrillic, Greek, Arabic, Hebrew) have no Latin
 * letters; there, the place of the key on an English keyboard counts, as in native programs. Latin layouts such as
 * Dvorak keep their letters. A key that AltGr changes is always the typed character.
 *
 * @example pressedKey(event) === 'k' // the key of K, also in a Russian layout, where it types л
 */
export function pressedKey(event: KeyPress): string {
  const { key, code, altKey, shiftKey } = event
  const isOption = altKey && hasAppleKeyboard()
  const isPlace = otherScript.test(key)
    ? isOption || !event.getModifierState('AltGraph')
    : isOption && typedWithOption.test(key)
  const [, character = signs[code]?.[shiftKey ? 1 : 0]] = /^(?:Key|Digit)(.)$/.exec(isPlace ? code : '') ?? []
  const pressed = (isPlace && character) || key
  const lower = pressed.toLowerCase()
  // The lower case of İ, the Turkish capital of i, has a second character.
  return pressed.length === 1 ? lower.charAt(0) : lower
}

/** Returns whether a key types text. Names of other keys are English; a key of Arabic types two letters. */
export const isTyped = (key: string): boolean => key.length === 1 || /^\P{ASCII}/u.test(key)
