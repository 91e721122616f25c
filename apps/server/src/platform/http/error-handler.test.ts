import type { ErrorReply } from '@pult/contract'
import { expect, test } from 'vitest'
import { AppError } from '../app-error.ts'
import { createLog } from '../log.ts'
import { bareServer } from './testing/bare-server.ts'

/** Creates a server with one call that throws, and returns the client's answer and the operator's log. */
async function thrown(error: Error) {
  const lines: string[] = []
  const app = bareServer({ log: createLog('info', { write: (line) => void lines.push(line) }) })
  app.get('/fault/:name', async () => {
    throw error
  })
  const answer = await app.inject('/fault/of-my-own')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.json<ErrorReply>(),
    logged: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

const withCode = (code: string) => Object.assign(new Error('words of a library'), { code })
const withStatus = (statusCode: number) => Object.assign(new Error('words of a library'), { statusCode })

test('RULE-76 DEC-37 a fault reveals nothing to the client, and the log names its location', async () => {
  const { status, headers, body, logged } = await thrown(new Error('relation person does not exist'))
  expect(status).toBe(500)
  expect(body).toEqual({ code: 'INTERNAL', message: 'Something went wrong on the server' })
  expect(headers['cache-control']).toBe('no-store')
  expect(logged).toMatchObject([
    {
      level: 'error',
      msg: 'a call failed',
      route: '/fault/:name',
      err: { type: 'Error', message: 'relation person does not exist' },
    },
  ])
})

test('RULE-80 an unavailable database returns 503 with Retry-After, and is logged as a warning with its cause', async () => {
  const away = new AppError('DATABASE_UNAVAILABLE', { retryAfter: 2 })
  away.cause = withCode('ECONNREFUSED')
  for (const error of [away, withCode('ECONNREFUSED'), withCode('57P01')]) {
    const { status, headers, body, logged } = await thrown(error)
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'DATABASE_UNAVAILABLE', '2'])
    expect(body.message).not.toContain('library')
    expect(logged).toMatchObject([{ level: 'warn', err: { message: 'words of a library' } }])
  }
})

test('RULE-80 the log names the cause of an outage and its remedy once, until the cause changes', async () => {
  const lines: string[] = []
  const app = bareServer({ log: createLog('info', { write: (line) => void lines.push(line) }) })
  app.get('/fault/:code', (request) => {
    throw withCode((request.params as { code: string }).code)
  })
  for (const code of ['57P03', '57P03', '25006', '25006', '57P03'])
    expect((await app.inject(`/fault/${code}`)).statusCode).toBe(503)
  const reasons = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(reasons).toEqual([
    expect.stringContaining('Wait until PostgreSQL has started'),
    expect.stringContaining('Promote this standby'),
    expect.stringContaining('Wait until PostgreSQL has started'),
  ])
})

test('DEC-37 a rejection returns code, status, message, issues and wait, and is neither stored nor logged', async () => {
  const issues = [{ path: ['email'], message: 'Not an address' }]
  const { status, headers, body, logged } = await thrown(
    new AppError('VALIDATION_FAILED', { message: 'In its own words', issues, retryAfter: 7 }),
  )
  expect(status).toBe(400)
  expect(body).toEqual({ code: 'VALIDATION_FAILED', message: 'In its own words', issues })
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '7' })
  expect(logged).toEqual([])

  const plain = await thrown(new AppError('FORBIDDEN'))
  expect(plain.body).toEqual({ code: 'FORBIDDEN', message: 'Access denied' })
  expect(plain.headers).not.toHaveProperty('retry-after')
})

const thrownErrors = [
  ['a text that PostgreSQL cannot store', withCode('22021'), 400, 'VALIDATION_FAILED'],
  ['a text that PostgreSQL cannot store in JSON', withCode('22P05'), 400, 'VALIDATION_FAILED'],
  ['a record that is deleted while another change refers to it', withCode('23503'), 503, 'BUSY'],
  ['a deadlock', withCode('40P01'), 503, 'BUSY'],
  ['a statement that PostgreSQL cancelled at its time limit', withCode('57014'), 503, 'QUERY_TIMEOUT'],
  ['any other error of a statement', withCode('42P01'), 500, 'INTERNAL'],
  ['a 400 of the framework', withStatus(400), 400, 'VALIDATION_FAILED'],
  ['another 4xx of the framework', withStatus(499), 400, 'VALIDATION_FAILED'],
  ['a 404 of the framework', withStatus(404), 404, 'NOT_FOUND'],
  ['an error with the status 500', withStatus(500), 500, 'INTERNAL'],
  ['an error with the status 200', withStatus(200), 500, 'INTERNAL'],
  ['a body over the limit', withCode('FST_ERR_CTP_BODY_TOO_LARGE'), 413, 'BODY_TOO_LARGE'],
  ['an unknown type', withCode('FST_ERR_CTP_INVALID_MEDIA_TYPE'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['an empty type', withCode('FST_ERR_CTP_EMPTY_TYPE'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
] as const

test.each(thrownErrors)(
  'DEC-37 RULE-76 %s returns the standard message',
  async (_what, error, status, code) => {
    const answer = await thrown(error)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(JSON.stringify(answer.body)).not.toContain('library')
  },
)

test('DEC-37 an unknown path returns the same format', async () => {
  const answer = await bareServer().inject('/no/such/path')
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toEqual({ code: 'NOT_FOUND', message: 'Not found' })
})
