import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function logged(error: unknown): string {
  const lines: string[] = []
  createLog('info', { write: (line) => void lines.push(line) }).error({ err: error }, 'a call failed')
  return lines.join('')
}

test('RULE-77 an error is logged without the values quoted in its message', () => {
  const cause = new Error('Key (email)=("ada@example.org") already exists')
  const line = logged(
    Object.assign(new Error('invalid token "s3cret-of-ada"', { cause }), { detail: 's3cret' }),
  )
  expect(line).toContain('invalid token')
  expect(line).not.toContain('s3cret')
  expect(line).not.toContain('ada@example.org')
})

test('RULE-77 no unquoted token of an error is logged', () => {
  const token = 'dGhpcyBpcyBhIHRva2VuIG9mIDI1NiBiaXRzIQ0123456'
  expect(logged(new Error(`no session for ${token}`))).not.toContain(token)
})

test('kind, code and location of an error are logged', () => {
  const line = JSON.parse(logged(Object.assign(new TypeError('broken'), { code: 'E_BROKEN' })))
  expect(line.err).toMatchObject({ type: 'TypeError', message: 'broken', code: 'E_BROKEN' })
  expect(line.err.at[0]).toContain('log.test.ts')
})
