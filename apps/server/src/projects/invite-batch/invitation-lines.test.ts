import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { invitationLines } from './invitation-lines.ts'

const ada = { email: 'ada@example.org', productRole: 'project/viewer' }

function linesOf(text: string | Uint8Array): unknown {
  try {
    return invitationLines(typeof text === 'string' ? Buffer.from(text) : text).map(
      ({ email, productRole }) => ({ email, productRole }),
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.message
  }
}

test('DEC-27 a CSV is read in the formats of spreadsheets: byte order mark, delimiters, quotes and other columns', () => {
  for (const text of [
    'email,productRole\nada@example.org,project/viewer\n',
    '\u{FEFF}email;productRole\r\nada@example.org;project/viewer\r\n',
    'Name\tEmail\tProductRole\r\n"Ada; Lovelace"\tada@example.org\tproject/viewer',
    '"productRole","email"\n"project/viewer"," ada@example.org "\n\n,,\n',
    'email;productRole;note\nada@example.org;project/viewer;"a ""quoted""\nline; with more"\n',
    'email,productRole\nada@example.org,project/viewer,too,much\n',
  ])
    expect([text, linesOf(text)]).toEqual([text, [ada]])
  expect(
    linesOf(Buffer.from('name;email;productRole\nGr\xf6\xdfe;ada@example.org;project/viewer', 'latin1')),
  ).toEqual([ada])
  expect(linesOf('email,productRole\nada@example.org\n')).toEqual([{ email: ada.email, productRole: '' }])
})

test('DEC-27 a list is read as spreadsheets save it: in UTF-16, behind empty lines, with a line that names the delimiter', () => {
  const text = 'Name\temail\tproductRole\r\nJürgen Weiß\tada@example.org\tproject/viewer\r\n'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  expect(linesOf(utf16)).toEqual([ada])
  expect(linesOf(Buffer.from(utf16).swap16())).toEqual([ada])
  for (const table of [
    '\r\n \r\n;;\r\nemail;productRole\r\nada@example.org;project/viewer',
    '\ufeffsep=;\r\nemail;productRole\r\nada@example.org;project/viewer',
    '"sep=|"\n\nemail|productRole\nada@example.org|project/viewer',
    'email,productRole\rada@example.org,project/viewer\r',
    '"email","productRole","note"\r\n"ada@example.org","project/viewer","two\r\nlines; one, cell"\n',
    '\ufeff\ufeffemail,productRole\nada@example.org,project/viewer\n',
  ])
    expect([table, linesOf(table)]).toEqual([table, [ada]])
  expect(invitationLines(Buffer.from('\n\nsep=,\nemail,productRole\na@x.org,r\n'))[0]?.line).toBe(5)
})

test('DEC-27 the line number of a person matches that of an editor', () => {
  const text = 'email,productRole,note\n\na@x.org,r,"two\nlines"\nb@x.org,r,\n'
  expect(invitationLines(Buffer.from(text)).map(({ email, line }) => [email, line])).toEqual([
    ['a@x.org', 4],
    ['b@x.org', 5],
  ])
})

test('DEC-27 a file with missing columns, a broken quote, no people or too many is refused with a message', () => {
  const columns = 'The first line must name the columns email and productRole once each'
  expect(linesOf('mail,role\na@x.org,r\n')).toBe(columns)
  expect(linesOf('email,email,productRole\na@x.org,b@x.org,r\n')).toBe(columns)
  expect(linesOf('email,productRole\n"a@x.org,r\n')).toContain('quotation mark')
  expect(linesOf('email,productRole\n')).toBe('The file contains no people')
  expect(linesOf('')).toBe('The file contains no people')
  const many = `email,productRole\n${'a@x.org,r\n'.repeat(5000)}`
  expect(linesOf(many)).toHaveLength(5000)
  expect(linesOf(`${many}b@x.org,r\n`)).toBe('The file has more than 5000 lines')
  expect(linesOf(Buffer.from([0, 1, 2, 255, 254, 10, 34]))).toEqual(expect.any(String))
})
