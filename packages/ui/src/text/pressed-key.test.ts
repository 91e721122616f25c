import { afterEach, expect, test, vi } from 'vitest'
import { isTyped, pressedKey } from './pressed-key.ts'

const pressed = (key: string, code: string, held: readonly ('Shift' | 'Alt' | 'AltGraph')[] = []) =>
  pressedKey({
    key,
    code,
    shiftKey: held.includes('Shift'),
    altKey: held.includes('Alt'),
    getModifierState: (name: string) => (held as readonly string[]).includes(name),
  })

afterEach(() => vi.unstubAllGlobals())

/** What the keys of K, S, Z, G, P, C, E, A and of the slash type, without Shift. */
const layouts = {
  English: 'kszgpcea/',
  Russian: 'лыязпсуф.',
  Ukrainian: 'ліяпзсуф.',
  Greek: 'κσζγπψεα/',
  Arabic: 'نسئلحؤثشظ',
  Persian: 'نسظلحزثش/',
  Hebrew: 'לדזעפבקש.',
  Korean: 'ㅏㄴㅋㅎㅔㅊㄷㅁ/',
  Armenian: 'կսզգպցեա՞',
  Georgian: 'კსზგპცეა/',
  Thai: 'าหผเยแำฟฝ',
  Hindi: 'क्िगपचेा'.slice(0, 8),
}
const codes = ['KeyK', 'KeyS', 'KeyZ', 'KeyG', 'KeyP', 'KeyC', 'KeyE', 'KeyA']

test.each(Object.entries(layouts))('SHELL-07 shortcuts have their places in a %s layout', (_name, typed) => {
  const keys = [...typed].slice(0, codes.length)
  expect(keys.map((key, at) => pressed(key, codes[at] ?? ''))).toEqual('kszgpcea'.split(''))
})

test.each([
  ['capitals of Cyrillic', 'Л', 'KeyK', ['Shift'], 'k'],
  ['a key that types two Arabic letters', 'لا', 'KeyB', [], 'b'],
  ['the Arabic question mark', '؟', 'Slash', ['Shift'], '?'],
  ['the key of the slash in Arabic', 'ظ', 'Slash', [], '/'],
  ['an Arabic digit', '١', 'Digit1', [], '1'],
  ['a Persian digit', '۱', 'Digit1', [], '1'],
  ['a Hindi digit', '१', 'Digit1', [], '1'],
  ['the slash of Hebrew, on the key of Q', '/', 'KeyQ', [], '/'],
  ['the question mark of Russian, on the 7', '?', 'Digit7', ['Shift'], '?'],
  ['K of Dvorak', 'k', 'KeyV', [], 'k'],
  ['T of Dvorak, on the key of K', 't', 'KeyK', [], 't'],
  ['the comma of Dvorak, on the key of W', ',', 'KeyW', [], ','],
  ['Z of German', 'z', 'KeyY', [], 'z'],
  ['M of French', 'm', 'Semicolon', [], 'm'],
  ['a letter of German', 'ö', 'Semicolon', [], 'ö'],
  ['a sign of Latin keyboards', '§', 'Backquote', [], '§'],
  ['µ of AltGr', 'µ', 'KeyM', ['AltGraph'], 'µ'],
  ['a Cyrillic letter with AltGr', 'ў', 'KeyE', ['AltGraph'], 'ў'],
  ['a Polish letter with AltGr', 'ś', 'KeyS', ['AltGraph'], 'ś'],
  ['the Turkish capital İ', 'İ', 'Quote', ['Shift'], 'i'],
  ['a named key', 'Escape', 'Escape', [], 'escape'],
  ['an unknown place', 'л', '', [], 'л'],
  ['a key of an input method', 'Process', 'KeyK', [], 'process'],
] as const)('SHELL-07 %s is the key of its shortcut', (_name, key, code, held, expected) => {
  expect(pressed(key, code, held)).toBe(expected)
})

test.each([
  ['å', 'KeyA', 'a'],
  ['Dead', 'KeyE', 'e'],
  ['π', 'KeyP', 'p'],
  ['@', 'KeyL', '@'],
])(
  'SHELL-07 Option with the key that types %j is the place of the key on Apple keyboards',
  (key, code, expected) => {
    vi.stubGlobal('navigator', { platform: 'MacIntel' })
    // Firefox reports Option as AltGraph.
    expect(pressed(key, code, ['Alt', 'AltGraph'])).toBe(expected)
  },
)

test.each([
  ['k', true],
  ['لا', true],
  ['𐐨', true],
  ['Enter', false],
  ['F6', false],
])('whether %s types text: %s', (key, expected) => expect(isTyped(key)).toBe(expected))
