import { expect, test } from 'vitest'
import { fitText } from './fit-text.ts'

/** A key of 72 pixels and a font whose letters are all equally wide: 8 of the largest fit into a line, 11 of the smallest. */
const key = {
  width: 65,
  largest: 13,
  smallest: 9.5,
  linesAt: (size: number) => Math.floor(65 / (size * 1.15)),
  widthOf: (line: string, size: number) => line.length * size * 0.6,
}

const widths = ({ lines, size }: ReturnType<typeof fitText>) => lines.map((line) => key.widthOf(line, size))

test.each([
  ['Nordhalle Licht Aus', ['Nordhalle', 'Licht Aus']],
  ['Restart video player hall north left', ['Restart', 'video', 'player', 'hall north', 'left']],
  ['Nordhalle\nLicht', ['Nordhalle', 'Licht']],
  ['Saal-Regie Nord', ['Saal-', 'Regie', 'Nord']],
  ['Ton/Licht (Nord)', ['Ton/', 'Licht', '(Nord)']],
])('timothycrosley/streamdeck-ui#185 a key shows the whole label %j', (label, lines) => {
  const fitted = fitText(label, key)
  expect([fitted.lines, fitted.isCut]).toEqual([lines, false])
  expect(Math.max(...widths(fitted))).toBeLessThanOrEqual(key.width)
  expect(fitted.lines.length).toBeLessThanOrEqual(key.linesAt(fitted.size))
})

test('a label is as large as its lines fit, and a word is kept whole in a smaller font if that suffices', () => {
  expect(fitText('Licht', key)).toEqual({ lines: ['Licht'], size: 13, isCut: false })
  const { lines, size } = fitText('Trafohalle', key)
  expect(lines).toEqual(['Trafohalle'])
  expect(size).toBeLessThan(13)
  expect(size).toBeGreaterThan(9.5)
})

test('elgatosf/streamdeck-kit-ipad#46 a word that is too long in every font is broken in the largest', () => {
  const fitted = fitText('Donaudampfschifffahrt', key)
  expect(fitted).toEqual({ lines: ['Donaudam', 'pfschiff', 'fahrt'], size: 13, isCut: false })
})

test('bitfocus/companion#904 a label without spaces is broken between its words', () => {
  const { lines, isCut } = fitText('再起動ビデオ北ホール左側面', key)
  expect([lines.join(''), isCut]).toEqual(['再起動ビデオ北ホール左側面', false])
  expect(lines.length).toBeGreaterThan(1)
  for (const word of ['再起動', 'ビデオ', 'ホール'])
    expect(lines.some((line) => line.includes(word))).toBe(true)
})

test('characters that consist of several code points are not broken', () => {
  const family = '👩‍👩‍👧'
  expect(fitText(family.repeat(3), key).lines).toEqual([family, family, family])
})

test('what does not fit is replaced by a sign', () => {
  const small = { ...key, width: 35, linesAt: () => 2 }
  expect(fitText('North hall gate seven', small)).toEqual({
    lines: ['North', 'hall…'],
    size: 9.5,
    isCut: true,
  })
  expect(fitText('Abcdefghijklmnop', small)).toEqual({ lines: ['Abcdef', 'ghijk…'], size: 9.5, isCut: true })
})
