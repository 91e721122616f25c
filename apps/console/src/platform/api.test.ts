import { type ErrorReply, loginEndpoints, meEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from './api.ts'
import { endSession, session } from './session.ts'
import { storage } from './storage.ts'

/*
 * Responses that the real server never sends, and requests that must not leave the page. Other tests cover the calls
 * with the real server.
 */

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  storage.token.write('token-of-ada')
})
afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
  endSession()
})

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status, headers }))
}

const lastCall = () => {
  const [url, init] = fetched.mock.lastCall ?? []
  return { url, headers: new Headers(init?.headers), body: init?.body }
}

const credentials = {
  _id: '0198f0c0-0000-7000-8000-000000000001',
  scope: [],
  email: 'ada@example.org',
  firstname: 'Ada',
  lastname: 'Lovelace',
  otpEnabled: false,
  isRoot: false,
}

test('DEC-28 the default catalogue is requested with Accept-Language *, because de means German', async () => {
  answer(200, credentials)
  await api(meEndpoints.read)
  expect(lastCall().headers.get('accept-language')).toBe('*')
})

describe('ROLE-03 the stored token', () => {
  test('ROLE-03 is sent in the authorization header only', async () => {
    answer(200, credentials)
    expect(await api(meEndpoints.read)).toEqual(credentials)
    expect(lastCall().url).toBe('/api/me')
    expect(lastCall().headers.get('authorization')).toBe('Bearer token-of-ada')
  })

  test('ROLE-03 is read at each call', async () => {
    storage.token.write('another')
    answer(200, credentials)
    await api(meEndpoints.read)
    expect(lastCall().headers.get('authorization')).toBe('Bearer another')
  })

  test('ROLE-03 is not sent when there is none', async () => {
    storage.token.write(null)
    answer(200, credentials)
    await api(meEndpoints.read)
    expect(lastCall().headers.has('authorization')).toBe(false)
  })
})

test('DEC-02 a poll is marked as background', async () => {
  answer(200, credentials)
  await api(meEndpoints.read, { background: true })
  expect(lastCall().headers.get('x-pult-background')).toBe('1')
})

test('a parameter cannot change the path of its call', async () => {
  answer(200, { action: 'invite:registration', data: { email: 'ada@example.org', user: null } })
  await api(tokenLinkEndpoints.preflight, { params: { token: '../../me?x#y' } })
  expect(lastCall().url).toBe('/api/bift/preflight/..%2F..%2Fme%3Fx%23y')
})

describe('API-24 an error', () => {
  const login = () =>
    api(loginEndpoints.login, { body: { type: 'credentials', data: { username: 'a', password: 'b' } } })

  test('API-24 carries the message of the server', async () => {
    const reply: ErrorReply = { code: 'TOO_MANY_REQUESTS', message: 'Too many attempts' }
    answer(429, reply, { 'retry-after': '30' })
    await expect(login()).rejects.toMatchObject({ ...reply, status: 429, retryAfter: 30 })
  })

  test('API-24 without an API response has a message of the console', async () => {
    fetched.mockResolvedValueOnce(new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
    await expect(login()).rejects.toMatchObject({
      code: 'UNREADABLE',
      status: 502,
      message: 'Unexpected response from the server. Reload the page',
    })
  })

  test('API-24 without any response reports that the server cannot be reached', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await expect(login()).rejects.toMatchObject({
      code: 'NETWORK',
      status: 0,
      message: 'The server cannot be reached. Check your connection',
    })
  })

  test('API-24 a connection lost during a response counts as no response', async () => {
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(new TextEncoder().encode('{"next":'))
        stream.error(new TypeError('network error'))
      },
    })
    fetched.mockResolvedValueOnce(new Response(body))
    await expect(login()).rejects.toMatchObject({ code: 'NETWORK', status: 0 })
  })

  test('API-24 a response that violates the contract is an error', async () => {
    answer(200, { next: 'somewhere else' })
    await expect(login()).rejects.toMatchObject({ code: 'UNREADABLE', status: 200 })
  })
})

describe('DEC-02 a rejected token', () => {
  test('DEC-02 ends the session with a notice', async () => {
    answer(401, { code: 'UNAUTHENTICATED', message: 'Sign in first' })
    await expect(api(meEndpoints.read)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(storage.token.read()).toBeNull()
    expect(session.get()).toEqual({
      status: 'signed-out',
      notice: 'Your session has ended. Sign in again',
    })
  })

  test('DEC-02 does not end the session once it has been replaced', async () => {
    fetched.mockImplementationOnce(async () => {
      storage.token.write('reissued')
      return new Response(JSON.stringify({ code: 'UNAUTHENTICATED', message: 'Sign in first' }), {
        status: 401,
      })
    })
    await expect(api(meEndpoints.read)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(storage.token.read()).toBe('reissued')
  })

  test.each([
    [401, 'INVALID_CREDENTIALS'],
    [403, 'FORBIDDEN'],
    [503, 'DATABASE_UNAVAILABLE'],
  ])('DEC-02 a response %i %s to a call keeps the token', async (status, code) => {
    answer(status, { code, message: 'No' })
    await expect(api(meEndpoints.read)).rejects.toMatchObject({ code })
    expect(storage.token.read()).toBe('token-of-ada')
  })
})
