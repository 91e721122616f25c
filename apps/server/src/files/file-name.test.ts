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
])('RULE-69 the name %j is shown as %j', (given, shown) => {
  expect(displayName(given)).toBe(shown)
})

test('RULE-69 a long name keeps its extension, within the bytes that a file system accepts', () => {
  expect(displayName(`${'ä'.repeat(300)}.tar.gz`)).toBe(`${'ä'.repeat(126)}.gz`)
  expect(Buffer.byteLength(displayName('展'.repeat(255)))).toBeLessThanOrEqual(255)
})

test('RULE-69 any file name is sent in one valid RFC 6266 header from which it can be decoded', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('../', '..\\', '\r\n', '"', "'", '%22', '%2e%2e%2f', '\\', ';', '\u202e', '\0', 'ä', '.'),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const name = displayName(parts.join(''))
      expect(name).toMatch(/^[^/\\\p{Cc}\p{Cf}<>:"|?*]+$/u)
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
