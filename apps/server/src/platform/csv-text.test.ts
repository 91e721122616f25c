import { expect, test } from 'vitest'
import { csvLine } from './csv-text.ts'

test.each([
  ['=1+1', "'=1+1\r\n"],
  ['a;=HYPERLINK("https://evil.example")', `"a;'=HYPERLINK(""https://evil.example"")"\r\n`],
  ['a; +cmd', "a; '+cmd\r\n"],
  ['a;"=1"', `"a;""'=1"""\r\n`],
  ['a\n@SUM(1)', `"a\n'@SUM(1)"\r\n`],
  ['a-b = c@d; e', 'a-b = c@d; e\r\n'],
])('a cell with %j is no formula, also where spreadsheets divide lines at semicolons', (cell, line) => {
  expect(csvLine([cell])).toBe(line)
})
