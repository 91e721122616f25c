import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayName, dispositionOf } from './file-name.ts'

test.each([
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\system32\\drivers.sys', 'drivers.sys'],
  ['/etc/', 'file'],
  ['..', 'file'],
  ['.htaccess', 'htaccess'],
  ['a\u0000b.png', 'ab.png'],
  ['a\r\nset-cookie: x.png', 'aset-cookie_ x.png'],
  ['exe.\u202egnp', 'exe.gnp'],
  ['inv\u200boice\ufeff.pdf', 'invoice.pdf'],
  ['name. . ', 'name'],
  ['CON.txt', '_CON.txt'],
  ['nul', '_nul'],
  ['a:b|c?d*e<f>"g".txt', 'a_b_c_d_e_f__g_.txt'],
  ['\ud800lone.txt', '\ufffdlone.txt'],
  ['Gro\u0308ße – 展示.png', 'Größe – 展示.png'],
  ['می‌روند.jpg', 'می‌روند.jpg'],
  ['👨‍👩‍👧‍👦.jpg', '👨‍👩‍👧‍👦.jpg'],
  ['invoice\u200d.pdf', 'invoice.pdf'],
  ['\u200b.pdf', 'pdf'],
])('RULE-69 the name %j is shown as %j', (given, shown) => {
  expect(displayName(given)).toBe(shown)
})

test('RULE-69 a long name keeps its extension, within the bytes that a file system accepts', () => {
  expect(displayName(`${'ä'.repeat(300)}.tar.gz`)).toBe(`${'ä'.repeat(126)}.gz`)
  expect(Buffer.byteLength(displayName('展'.repeat(255)))).toBeLessThanOrEqual(255)
  expect(displayName(`${'👨‍👩‍👧‍👦'.repeat(20)}.jpg`)).toBe(`${'👨‍👩‍👧‍👦'.repeat(10)}.jpg`)
  expect(displayName(`e${'\u0301'.repeat(300)}.jpg`)).toBe(`é${'\u0301'.repeat(8)}.jpg`)
})

test('RULE-69 any file name is sent in one valid RFC 6266 header from which it can be decoded', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\u200d',
      '👨‍👩‍👧‍👦',
      'می‌',
      '../',
      '..\\',
      '\r\n',
      '"',
      "'",
      '%22',
      '%2e%2e%2f',
      '\\',
      ';',
      '\u202e',
      '\0',
      'ä',
      '.',
    ),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const name = displayName(parts.join(''))
      // Of the format characters, only joiners, the tags of flags and the visible signs of numbers remain.
      const rest = name.replace(/(?![\u200b\u200e\u200f\u061c\ufeff\u202a-\u202e\u2066-\u2069])\p{Cf}/gu, '')
      expect(rest).toMatch(/^[^/\\\p{Cc}\p{Cf}<>:"|?*]*$/u)
      // A sign of a number is a name, too.
      expect(name).not.toBe('')
      expect(name).not.toMatch(/^\.|\.$/)
      expect(displayName(name)).toBe(name)
      const header = dispositionOf('attachment', name)
      const [, plain, extended] =
        /^attachment; filename="([ -~]*)"; filename\*=UTF-8''([\w.!~%-]+)$/.exec(header) ?? []
      expect(plain).not.toMatch(/["\\%]/)
      expect(decodeURIComponent(extended ?? '')).toBe(name)
    }),
    { numRuns: 2000 },
  )
})
