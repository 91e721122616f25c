import { expect, test } from 'vitest'
import { parseJsonText } from './json-text.ts'

const settings = { hall: 'Süd', decks: [1, -2.5e3, true, null], deep: { empty: {}, list: [] } }
const text = JSON.stringify(settings, null, 2)
const utf16 = (isBigEndian: boolean) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

test.each([
  ['text', text],
  ['bytes', Buffer.from(text)],
  ['lines of Windows', text.replaceAll('\n', '\r\n')],
  ['a byte-order mark', Buffer.from(`\uFEFF${text}`)],
  ['a byte-order mark in a text', `\uFEFF${text}`],
  ['UTF-16 of Windows', utf16(false)],
  ['UTF-16 in the other order', utf16(true)],
])('sensu/sensu#1232 JSON is read from %s', (_name, source) => {
  expect(parseJsonText(source)).toEqual(settings)
})

test.each([
  ['nothing', '', 'it is empty'],
  ['only a mark and spaces', '\uFEFF \n', 'it is empty'],
  ['another encoding', Buffer.from('{"hall": "S\xfcd"}', 'latin1'), 'it is not text in UTF-8'],
  ['a comment', '{\n  // hall 3\n}', 'line 2, column 3: JSON has no comments'],
  ['a comment behind a value', '{"a": 1 /* hall */}', 'line 1, column 9: JSON has no comments'],
  ['a comment of a shell', '# hall\n{}', 'line 1, column 1: JSON has no comments'],
  ['a comma before a bracket', '{\n  "a": [1, 2,],\n}', 'line 2, column 13: no comma may stand before ]'],
  ['a comma before a brace', '{\n  "a": 1,\n}', 'line 2, column 9: no comma may stand before }'],
  ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected a comma or }, not "\\""'],
  ['a missing colon', '{"a" 1}', 'line 1, column 6: expected a colon after "a", not "1"'],
  ['a name twice', '{\n  "a": 1,\n  "a": 2\n}', 'line 3, column 3: the name "a" occurs twice in one object'],
  ['a name twice in two forms', '{"a": 1, "\\u0061": 2}', 'line 1, column 10: the name "a" occurs twice'],
  ['half a file', '{\n  "a": [1', 'line 2, column 10: the text ends, but a comma or ] is missing'],
  ['a path of Windows', '{"a": "C:\\player"}', 'line 1, column 10: a backslash in a text is written twice'],
  ['single quotes', "{'a': 1}", "line 1, column 2: texts have straight double quotes, not '"],
  ['typographic quotes', '{“a”: 1}', 'line 1, column 2: texts have straight double quotes, not “'],
  ['an open text', '{"a": "b\n}', 'line 1, column 7: the double quote at the end of the text is missing'],
  ['a name without quotes', '{a: 1}', 'line 1, column 2: expected a name in double quotes, not "a"'],
  ['a value of Python', '{"a": True}', 'line 1, column 7: expected a value, not "T"'],
  ['a number with a zero', '{"a": 007}', 'line 1, column 7: expected a value, not "0"'],
  ['two values', '{}\n{}', 'line 2, column 1: the text continues behind its end'],
  ['a hundred thousand brackets', '['.repeat(100_000), 'line 1, column 202: more than 200 brackets are open'],
])('a file with %s is refused with the place of the mistake', (_name, source, reason) => {
  expect(() => parseJsonText(source)).toThrow(reason)
})

test('a text is read exactly if a JSON parser of the engine reads it', () => {
  const parts = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '1',
    '-0.5e2',
    'true',
    ' ',
    '\\',
    '01',
    '"\\n"',
    '+',
  ]
  let seed = 7
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
  let read = 0
  for (let round = 0; round < 50_000; round += 1) {
    const given = Array.from(
      { length: 1 + Math.floor(next() * 7) },
      () => parts[Math.floor(next() * parts.length)],
    ).join('')
    const outcome = (parse: (given: string) => unknown) => {
      try {
        return JSON.stringify(parse(given))
      } catch (error) {
        return error instanceof Error && error.message.includes('occurs twice') ? 'twice' : 'refused'
      }
    }
    const found = outcome(parseJsonText)
    if (found === 'twice') continue
    expect([given, found]).toEqual([given, outcome(JSON.parse)])
    if (found !== 'refused') read += 1
  }
  expect(read).toBeGreaterThan(1000)
})
