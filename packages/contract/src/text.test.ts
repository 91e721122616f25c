import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asciiDigits,
  cleanedName,
  cleanLines,
  codeIn,
  countCharacters,
  digitsIn,
  firstCharacters,
  foldCase,
  isWithinLength,
  longText,
  machineText,
  nameFrom,
  nameText,
  numberIn,
  reportFrom,
  reportText,
  searchText,
  withoutHidden,
} from './text.ts'

const name = nameText(200)
const messagesOf = (text: string, schema = name) =>
  schema.safeParse(text).error?.issues.map(({ message }) => message)

// Groups of similar kinds.
// biome-ignore format: one line for each group
const special = [
  'a', 'e\u0301', '\u0301', ' ', '\u00a0', '\t', '\n', '\r\n', '\u2028', '\0', '\u200b', '\u200c',
  '\u200d', '\u200e', '\u202e', '\u2066', '\u00ad', '\u3164', '\ufe0f', '\ue000', '\ud800', '👨‍👩‍👧‍👦',
  'می‌روند', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '葛\u{e0100}', '\u{e0041}', '\u034f', '\u180e', '\u0958', '\ufff9',
]

/** Texts of all kinds: any code points, and those that the rules treat differently. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
      fc.constantFrom(...special),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('a name', () => {
  test.each([
    ['decomposed letters', 'Mu\u0308llerstra\u00dfe Cafe\u0301', 'Müllerstraße Café'],
    ['white space around', '\u00a0 Hall 7\u3000', 'Hall 7'],
    ['a Persian word', 'می‌روند', 'می‌روند'],
    ['a Bengali word with a joiner', 'র‍্যাব', 'র‍্যাব'],
    ['a family', '👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
    ['skin tones and signs', '👨🏽‍⚕️ 🏳️‍⚧️ ❤️‍🔥 1️⃣', '👨🏽‍⚕️ 🏳️‍⚧️ ❤️‍🔥 1️⃣'],
    ['the flag of a region', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['a variant of a Japanese letter', '葛\u{e0100}城', '葛\u{e0100}城'],
    ['Tibetan stacks', 'བསྒྲུབས', 'བསྒྲུབས'],
    ['pointed Hebrew', 'שָׁלוֹם', 'שָׁלוֹם'.normalize()],
    ['a zero-width space, a soft hyphen and a byte order mark', '\ufeffHa\u00adll\u200b 7', 'Hall 7'],
    ['marks of direction', 'Hall\u200e 7\u200f\u061c', 'Hall 7'],
    ['a Malayalam name with a final chillu', 'മോഹന്\u200d ലാല്\u200d', 'മോഹന്\u200d ലാല്\u200d'],
    ['the Arabic sign of a Hijri year', 'ه\u200d', 'ه\u200d'],
    ['joiners in the wrong places', '\u200dHall\u200c 7\u200d', 'Hall 7'],
    ['tags without a flag', 'Hall\u{e0041}\u{e0042}', 'Hall'],
    ['a text in the tags of a flag', `🏴${'\u{e0061}'.repeat(7)}\u{e007f} Hall`, '🏴 Hall'],
    ['joiners in Latin words', 'Auf\u200clage Ad\u200dmin e\u0301\u200d\u0302', 'Auflage Admin é\u0302'],
    ['joiners beside Latin letters', 'a\u200dक\u200dष\u200db', 'aक\u200dषb'],
    ['joiners between signs', '+\u200d+ А\u200dБ', '++ АБ'],
    ['variants that letters do not have', 'A\ufe0fd\u{e01ef}min e\u0301\ufe00 1\ufe0e', 'Admin é 1'],
    ['Braille', '⠓⠁⠇⠇\u2800⠼⠛', '⠓⠁⠇⠇\u2800⠼⠛'],
  ])('with %s is stored as readers see it', (_, given, stored) => {
    expect(name.parse(given)).toBe(stored)
  })

  test.each([
    ['', 'Must not be empty'],
    ['\u200b', 'Must not be empty'],
    ['\u00a0\u3000', 'Must not be empty'],
    ['\u2800', 'Must not be empty'],
    ['\u3164\u115f\u1160\uffa0', 'Must not be empty'],
    ['\u{e0041}', 'Must not be empty'],
    ['\ufe0f\u200d', 'Must not be empty'],
    ['\u0301'.repeat(200), 'Must not be empty'],
    ['invoice \u202egnp.exe', 'Must not contain control characters or hidden characters'],
    ['a\u2066b\u2069', 'Must not contain control characters or hidden characters'],
    ['two\nlines', 'Must not contain control characters or hidden characters'],
    ['two\u2028lines', 'Must not contain control characters or hidden characters'],
    ['\ud800', 'Must not contain control characters or hidden characters'],
    ['\ue000', 'Must not contain control characters or hidden characters'],
    ['\u0378', 'Must not contain control characters or hidden characters'],
    [`e${'\u0301'.repeat(199)}`, 'Must not have more than 8 marks on one letter'],
    [`क${'\u0951\u200d'.repeat(9)}ष`, 'Must not have more than 8 marks on one letter'],
    ['\u{1d159}', 'Must not be empty'],
    ['x'.repeat(201), 'Must have at most 200 characters'],
    [`e${'\u200d👨'.repeat(30_000)}`, 'Must have at most 200 characters'],
  ])('no. %#: is rejected with its reason', (given, message) => {
    expect(messagesOf(given)).toEqual([message])
  })

  test('is limited in characters as readers see them, and in code units behind that', () => {
    expect(name.parse('😀'.repeat(200))).toHaveLength(400)
    expect(name.parse('e\u0301\u0323'.repeat(200))).toHaveLength(400)
    expect(messagesOf('😀'.repeat(201))).toEqual(['Must have at most 200 characters'])
    // Eleven code units each: a database index could not hold 200 of them.
    expect(messagesOf('👨‍👩‍👧‍👦'.repeat(200))).toEqual(['Must have at most 200 characters'])
    const short = nameText(3, { min: 2 })
    expect(short.parse('👨‍👩‍👧‍👦x')).toBe('👨‍👩‍👧‍👦x')
    expect(messagesOf('e\u0301', short)).toEqual(['Must have at least 2 characters'])
  })

  test('can be empty where the contract permits it', () => {
    const optional = nameText(20, { min: 0 })
    expect([optional.parse(' \u200b '), optional.parse('')]).toEqual(['', ''])
    expect(messagesOf('\u0301', optional)).toEqual(['Must not be empty'])
  })

  test('is trimmed, in NFC, visible and stable for any accepted input', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { data = 'rejected' } = name.safeParse(text)
        expect(data).toBe(data.trim())
        expect(data).toBe(data.normalize())
        expect(data).toMatch(/[^\p{Z}\p{M}\p{C}\p{DI}]/u)
        expect(data).not.toMatch(/[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
        expect(countCharacters(data)).toBeLessThanOrEqual(200)
        expect(name.parse(data)).toBe(data)
      }),
      { numRuns: 3000 },
    )
  })
})

test('a name made from any text is empty or a valid name', () => {
  expect(nameFrom('x\0y\u202e', 200)).toBe('x y')
  expect(nameFrom(' \u200b\u202e', 200)).toBe('')
  expect(nameFrom('😀'.repeat(300), 200)).toBe('😀'.repeat(200))
  expect(nameFrom(`e${'\u0301'.repeat(300)}`, 200)).toBe(`\u00e9${'\u0301'.repeat(8)}`)
  expect(nameFrom(`क${'\u0951\u200d'.repeat(100)}ष`, 200)).toBe(`क${'\u0951\u200d'.repeat(8)}ष`)
  fc.assert(
    fc.property(anyText, fc.integer({ min: 3, max: 20 }), (text, most) => {
      const made = nameFrom(text, most)
      expect(nameText(most, { min: 0 }).parse(made)).toBe(made)
    }),
    { numRuns: 3000 },
  )
})

test('a name that is sent again with each change loses what no name contains, and is never rejected for it', () => {
  const label = cleanedName(20, { min: 0 })
  expect(label.parse('Li\ue000ght\u202e\u200b 1\t\n2\u2028')).toBe('Light 1 2')
  expect(label.parse(`e${'\u0301'.repeat(20)}`)).toBe(`\u00e9${'\u0301'.repeat(8)}`)
  for (const empty of ['', ' ', '\ue000', '\u200b', '\u2800', '\u0301']) expect(label.parse(empty)).toBe('')
  expect(messagesOf('\ue000', cleanedName(20))).toEqual(['Must not be empty'])
  expect(messagesOf('x'.repeat(21), label)).toEqual(['Must have at most 20 characters'])
})

test('removing what is hidden from any text gives the same text a second time', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const clean = withoutHidden(text)
      expect(withoutHidden(clean)).toBe(clean)
    }),
    { numRuns: 3000 },
  )
})

describe('a text of several lines', () => {
  const note = longText(100)

  test('keeps line breaks, tabs and characters of direction, and loses other hidden characters', () => {
    expect(note.parse('a\tb\r\nc\rd\u2028e\vf')).toBe('a\tb\nc\nd\ne\nf')
    expect(note.parse('\u202a+49 171\u202c C++\u200f \u001b[1m')).toBe('\u202a+49 171\u202c C++\u200f [1m')
    expect(note.parse('Cafe\u0301\u200b ')).toBe('Café ')
  })

  test('has limits as well', () => {
    expect(messagesOf('😀'.repeat(101), note)).toEqual(['Must have at most 100 characters'])
    expect(messagesOf(`x${'\u0301'.repeat(60)}`, note)).toEqual([
      'Must not have more than 8 marks on one letter',
    ])
    for (const text of ['a\0b', 'a\ud800'])
      expect(messagesOf(text, note)).toEqual(['Must not contain control characters or hidden characters'])
  })
})

test('a search term is normalised like the names, and never rejected for its characters', () => {
  const search = searchText(20)
  expect(search.parse('Cafe\u0301')).toBe('Café')
  expect(search.parse('\u202einvoice\u202c \u200b')).toBe('invoice ')
  expect(messagesOf('x'.repeat(21), search)).toEqual(['Must have at most 20 characters'])
})

test('a text of a machine is normalised, and rejected only for what it was rejected for before', () => {
  const text = machineText(20)
  expect(text.parse('Cafe\u0301 \u202egnp\u202c')).toBe('Café gnp')
  expect(text.parse(`x${'\u0301'.repeat(12)}`)).toBe(`x${'\u0301'.repeat(12)}`)
  expect(text.parse(text.parse('\u0958'.repeat(15)))).toBe('\u0958'.repeat(15))
  for (const bad of ['a\nb', '\ud800', 'x'.repeat(21)]) expect(text.safeParse(bad).success).toBe(false)
})

test('a report of a machine is cleaned, cut between characters, and rejected only for its length', () => {
  const report = reportText(40)
  expect(report.parse('a\0b\ud83d\0\ude00 \u202egnp\u202c\u200b\r\n\u001bCafe\u0301')).toBe(
    'ab\ufffd\ufffd gnp\nCafé',
  )
  expect(report.safeParse('x'.repeat(41)).success).toBe(false)
  expect(reportFrom(`${'x'.repeat(19)}😀`, 20)).toBe('x'.repeat(19))
  expect(cleanLines('\u202a+49 171\u202c\0 Cafe\u0301')).toBe('\u202a+49 171\u202c Café')
  fc.assert(
    fc.property(anyText, (text) => {
      const made = reportFrom(text, 20)
      expect(made.length).toBeLessThanOrEqual(20)
      expect(made).not.toMatch(/(?![\t\n])\p{Cc}|[\p{Cs}\u200b\u202a-\u202e\u2066-\u2069]/u)
    }),
    { numRuns: 3000 },
  )
})

test('a text is cut between characters', () => {
  expect(firstCharacters('ab👨‍👩‍👧‍👦c', 3)).toBe('ab👨‍👩‍👧‍👦'.slice(0, 2))
  expect(firstCharacters('abc👨‍👩‍👧‍👦d', 4)).toBe('abc👨‍👩‍👧‍👦')
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 10 }), (text, most) => {
      const cut = firstCharacters(text, most)
      expect(text.startsWith(cut)).toBe(true)
      expect(isWithinLength(cut, most)).toBe(true)
      expect(cut === text).toBe(isWithinLength(text, most))
    }),
  )
})

describe('digits', () => {
  test.each([
    ['Arabic-Indic', '١٢٣٤٥٦'],
    ['Persian', '۱۲۳۴۵۶'],
    ['Devanagari', '१२३४५६'],
    ['Bengali', '১২৩৪৫৬'],
    ['Thai', '๑๒๓๔๕๖'],
    ['full-width', '１２３４５６'],
    ['mathematical bold', '𝟏𝟐𝟑𝟒𝟓𝟔'],
    ['with a space and marks of direction', '\u200f١٢٣ ٤٥٦\u200f'],
  ])('%s are read', (_, typed) => {
    expect(digitsIn(typed)).toBe('123456')
  })

  test('of a code with letters are read like its letters, in any case and width', () => {
    expect(codeIn('ｏoil-٠٧k2')).toBe('0011-07K2')
  })

  test('of every script have the value that Unicode gives them', () => {
    // ICU formats numbers with the digits of each script. Some systems of numerals have no digits.
    const shown = Intl.supportedValuesOf('numberingSystem')
      .map((system) =>
        new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9_876_543_210),
      )
      .filter((text) => /^\p{Nd}{10}$/u.test(text))
    expect(shown.length).toBeGreaterThan(40)
    expect(new Set(shown.map(asciiDigits))).toEqual(new Set(['9876543210']))
  })

  test.each([
    ['12,5', 12.5],
    [' 12.5 ', 12.5],
    ['١٢٫٥', 12.5],
    ['−３', -3],
    ['12\u200f', 12],
    ['\u200f−5 ', -5],
    ['\u200e12.5\u200e', 12.5],
    ['\u061c١٢', 12],
    ['1e3', 1000],
    ['', Number.NaN],
    ['twelve', Number.NaN],
    ['1,2,3', Number.NaN],
  ])('%j is the number %d', (typed, number) => {
    expect(numberIn(typed)).toBe(number)
  })
})

test.each([
  ['ΟΔΟΣ', 'οδος'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['İstanbul', 'istanbul'],
  ['ISTANBUL', 'ıstanbul'],
  ['STRASSE', 'Straße'],
  ['MÜLLER', 'mu\u0308ller'],
  ['ЖУК', 'жук'],
  ['zurich', 'Zürich'],
  ['osterreich', 'Österreich'],
  ['LODZ', 'Łódź'],
  ['orsted', 'Ørsted'],
])('schemalabz/opencouncil#402 %s and %s are equal in a search', (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other))
})

test.each([
  ['Zuerich', 'Zürich'],
  ['カラス', 'ガラス'],
])('%s and %s are different in a search', (one, other) => {
  expect(foldCase(one)).not.toBe(foldCase(other))
})
