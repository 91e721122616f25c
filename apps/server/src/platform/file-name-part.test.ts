import { expect, test } from 'vitest'
import { fileNamePart } from './file-name-part.ts'

test.each([
  ['Größe "7" / Süd', 'Größe-7-Süd'],
  ['हिन्दी कार्यक्रम', 'हिन्दी-कार्यक्रम'],
  ['กรุงเทพ', 'กรุงเทพ'],
  ['می‌روند', 'می‌روند'],
  ['👨‍👩‍👧‍👦 Familie', 'Familie'],
  ['../..\\etc\u202e', 'etc'],
  ['👨‍👩‍👧‍👦', ''],
])('RULE-69 the label %s is %j in the name of a download', (label, part) => {
  expect(fileNamePart(label)).toBe(part)
})
