import { type ErrorReply, endpoint, loginEndpoints, meEndpoints, tokenLinkEndpoints, z } from '@pult/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from './api.ts'
import type { ApiError } from './api-error.ts'
import { isProxySignInDue } from './foreign-answer.ts'
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
  isProxySignInDue.set(false)
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

  const failureOf = async (call: Promise<unknown>): Promise<ApiError> => {
    const [outcome] = await Promise.allSettled([call])
    if (outcome.status === 'fulfilled') throw new Error('The call succeeded')
    return outcome.reason as ApiError
  }
  const page = { 'content-type': 'text/html' }
  const json = { 'content-type': 'application/json; charset=utf-8' }

  test.each([
    ...[404, 408, 500, 502, 503, 504, 520, 522, 527, 530].map((status) => [status, 'NETWORK'] as const),
    [400, 'PROXY_REFUSED'],
    [403, 'PROXY_REFUSED'],
    [405, 'PROXY_REFUSED'],
    [501, 'PROXY_REFUSED'],
    [505, 'PROXY_REFUSED'],
    [401, 'PROXY_SIGN_IN'],
    [407, 'PROXY_SIGN_IN'],
    [511, 'PROXY_SIGN_IN'],
    [200, 'PROXY_SIGN_IN'],
    [413, 'PROXY_TOO_LARGE'],
    [414, 'PROXY_TOO_LARGE'],
    [431, 'PROXY_TOO_LARGE'],
    [494, 'PROXY_TOO_LARGE'],
    [429, 'PROXY_BUSY'],
  ] as const)(
    'API-24 directus#18384 a page with status %i is the error %s of a proxy and keeps the session',
    async (status, code) => {
      fetched.mockResolvedValueOnce(
        new Response('<h1>Bad Gateway</h1>', { status, headers: { ...page, 'retry-after': '7' } }),
      )
      const error = await failureOf(login())
      expect(error).toMatchObject({ code, status, retryAfter: 7 })
      expect(error.message).not.toContain('Unexpected response')
      expect(storage.token.read()).toBe('token-of-ada')
      expect(isProxySignInDue.get()).toBe(code === 'PROXY_SIGN_IN')
    },
  )

  const nginxPage = (words: string) =>
    `<html>\r\n<head><title>${words}</title></head>\r\n<body>\r\n<center><h1>${words}</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n`
  const haproxyPage = (words: string, reason: string) =>
    `<html><body><h1>${words}</h1>\n${reason}\n</body></html>\n`
  const plain = { 'content-type': 'text/plain; charset=utf-8' }
  const caddy = { 'content-length': '0', server: 'Caddy' }
  const rails = { ...json, 'x-request-id': '7b0c3e5e-2f7a-4f0e-9d53-0a3f3c1c2b1a' }
  const cloudflareError = JSON.stringify({
    type: 'https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/error-521/',
    title: 'Error 521: Web server is down',
    status: 521,
    detail: 'The origin web server refused the connection.',
    error_code: 521,
    error_name: 'origin_down',
    cloudflare_error: true,
    retryable: true,
  })

  test.each([
    [
      "HAProxy's 503",
      503,
      haproxyPage('503 Service Unavailable', 'No server is available to handle this request.'),
      page,
      'NETWORK',
    ],
    [
      "HAProxy's 408",
      408,
      haproxyPage('408 Request Time-out', "Your browser didn't send a complete request in time."),
      page,
      'NETWORK',
    ],
    ["Caddy's 502", 502, '', caddy, 'NETWORK'],
    ["Traefik's 404", 404, '404 page not found\n', plain, 'NETWORK'],
    ["Cloudflare's 521", 521, cloudflareError, json, 'NETWORK'],
    ["nginx's 504", 504, nginxPage('504 Gateway Time-out'), page, 'NETWORK'],
    ["nginx's 413", 413, nginxPage('413 Request Entity Too Large'), page, 'PROXY_TOO_LARGE'],
    ["nginx's 429", 429, nginxPage('429 Too Many Requests'), page, 'PROXY_BUSY'],
    ['JSON of a captive portal', 200, '{"login":"https://portal.example/login"}', json, 'PROXY_SIGN_IN'],
    ['JSON of a captive portal as text', 200, '{"login":"/login"}', plain, 'PROXY_SIGN_IN'],
    ['JSON of a gateway with other request ids', 200, '{"login":"/login"}', rails, 'PROXY_SIGN_IN'],
  ])('API-24 directus#18384 %s with status %i is recognised', async (_what, status, body, headers, code) => {
    fetched.mockResolvedValueOnce(new Response(body, { status, headers: new Headers(headers) }))
    expect(await failureOf(login())).toMatchObject({ code, status })
    expect(storage.token.read()).toBe('token-of-ada')
    expect(isProxySignInDue.get()).toBe(code === 'PROXY_SIGN_IN')
  })

  test.each([
    ['an empty 200', new Response('', { headers: { ...json, 'content-length': '0' } })],
    ['an empty 200 of a page', new Response('', { headers: { ...page, 'content-length': '0' } })],
    ['an empty 200 without a type', new Response(new Uint8Array())],
    ['a 204', new Response(null, { status: 204 })],
    ['a 204 of a page', new Response(null, { status: 204, headers: page })],
    ['a body that is cut off', new Response('{"next":"o', { headers: json })],
    [
      'the error of another gateway',
      new Response('{"code":504,"message":"x"}', { status: 504, headers: json }),
    ],
  ])('API-24 directus#18384 %s counts as no response', async (_what, response) => {
    fetched.mockResolvedValueOnce(response)
    await expect(login()).rejects.toMatchObject({ code: 'NETWORK', status: response.status })
  })

  const ofServer = { 'x-request-id': '0198f0c0-0000-7000-8000-000000000001' }

  test.each([200, 302, 401, 511])(
    'API-24 a page of the service of an app with status %i requests no sign-in at a proxy',
    async (status) => {
      fetched.mockResolvedValueOnce(
        new Response('<h1>Sign in</h1>', { status, headers: { ...page, ...ofServer } }),
      )
      await expect(login()).rejects.toMatchObject({ code: 'UNREADABLE', status })
      expect(isProxySignInDue.get()).toBe(false)
    },
  )

  test('API-24 the service of an app cannot end the session', async () => {
    answer(403, { code: 'UNAUTHENTICATED', message: 'Not for you' }, ofServer)
    await expect(login()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 403 })
    expect(storage.token.read()).toBe('token-of-ada')
  })

  test('API-24 silverbullet#1091 a redirect is not followed, and means a sign-in at a proxy until the server answers', async () => {
    // As a browser filters it: no status, no headers and no body.
    const redirect = Response.error()
    Object.defineProperty(redirect, 'type', { value: 'opaqueredirect' })
    fetched.mockResolvedValueOnce(redirect)
    await expect(login()).rejects.toMatchObject({ code: 'PROXY_SIGN_IN', status: 0 })
    expect(fetched.mock.lastCall?.[1]?.redirect).toBe('manual')
    expect(isProxySignInDue.get()).toBe(true)
    answer(200, credentials)
    await api(meEndpoints.read)
    expect(isProxySignInDue.get()).toBe(false)
  })

  test('API-24 silverbullet#1091 an error of the server shows that no sign-in at a proxy is due', async () => {
    isProxySignInDue.set(true)
    answer(403, { code: 'FORBIDDEN', message: 'No' })
    await expect(login()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(isProxySignInDue.get()).toBe(false)
  })

  test('API-24 an empty answer is a reply if the endpoint of an app permits it', async () => {
    const emptied = endpoint('POST', '/services/wall', {
      summary: 'Empties the wall.',
      reply: z.optional(z.string()),
    })
    fetched.mockResolvedValueOnce(new Response(null, { status: 204 }))
    await expect(api(emptied)).resolves.toBeUndefined()
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

  test('API-24 a response of the server that violates the contract is an error', async () => {
    answer(200, { next: 'somewhere else' }, { 'x-request-id': '0198f0c0-0000-7000-8000-000000000001' })
    await expect(login()).rejects.toMatchObject({ code: 'UNREADABLE', status: 200 })
    expect(isProxySignInDue.get()).toBe(false)
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
