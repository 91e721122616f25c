import { auditEndpoints, z } from '@pult/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { download, upload } from './file-transfer.ts'
import { isProxySignInDue } from './foreign-answer.ts'
import { endSession } from './session.ts'
import { storage } from './storage.ts'

/*
 * Answers that the real server never sends, because a proxy sends them.
 */

interface Answer {
  body: string
  status?: number
  headers?: Record<string, string>
}

let answer: Answer

/** A request that the proxy answers. */
class AnsweredRequest extends EventTarget {
  readonly upload = new EventTarget()
  readonly status = 200
  readonly responseText = answer.body
  open = () => {}
  setRequestHeader = () => {}
  getAllResponseHeaders = () =>
    Object.entries(answer.headers ?? {})
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  send = () => queueMicrotask(() => this.dispatchEvent(new Event('load')))
}

const ofServer = { 'x-request-id': '0198f0c0-0000-7000-8000-000000000001' }
const json = { 'content-type': 'application/json' }
const portal = JSON.stringify({ login: 'https://portal.example/login' })
const saved = vi.fn<() => string>()

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', AnsweredRequest)
  vi.stubGlobal(
    'fetch',
    async () => new Response(answer.body, { status: answer.status ?? 200, headers: answer.headers ?? {} }),
  )
  vi.spyOn(URL, 'createObjectURL').mockImplementation(saved)
})
afterEach(() => {
  isProxySignInDue.set(false)
  saved.mockReset()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  endSession()
})

const send = () =>
  upload('/apps/root/extensions', new Blob(['x']), {
    contentType: 'application/gzip',
    reply: z.object({ id: z.string() }),
  })

test('an uploaded file counts as accepted only if the reply is that of the server', async () => {
  answer = { body: portal, headers: json }
  await expect(send()).rejects.toMatchObject({ code: 'PROXY_SIGN_IN' })
  expect(isProxySignInDue.get()).toBe(true)
  answer = { body: portal, headers: { ...json, ...ofServer } }
  await expect(send()).rejects.toMatchObject({ code: 'UNREADABLE' })
  answer = { body: '', headers: json }
  await expect(send()).rejects.toMatchObject({ code: 'NETWORK' })
  answer = { body: '{"id":"wall"}', headers: json }
  expect(await send()).toEqual({ id: 'wall' })
  expect(isProxySignInDue.get()).toBe(false)
})

test('a page in answer to an uploaded file is a sign-in at a proxy, although no reply is expected', async () => {
  answer = { body: '<h1>Sign in</h1>', headers: { 'content-type': 'text/html' } }
  const sent = upload('/apps/root/extensions', new Blob(['x']), { contentType: 'application/gzip' })
  await expect(sent).rejects.toMatchObject({ code: 'PROXY_SIGN_IN' })
})

test.each([
  ['the JSON of a gateway', { body: portal, headers: json }, 'PROXY_SIGN_IN'],
  ['a page', { body: '<h1>Sign in</h1>', headers: { 'content-type': 'text/html' } }, 'PROXY_SIGN_IN'],
  ['an empty answer', { body: '', headers: json }, 'NETWORK'],
])('a download does not save %s', async (_name, ofProxy, code) => {
  answer = ofProxy
  await expect(download(auditEndpoints.export, { query: { format: 'csv' } })).rejects.toMatchObject({ code })
  expect(saved).not.toHaveBeenCalled()
})

test('the service of an app cannot end the session with the answer to a download', async () => {
  storage.token.write('token-of-ada')
  const body = JSON.stringify({ code: 'UNAUTHENTICATED', message: 'Not for you' })
  answer = { body, status: 403, headers: { ...json, ...ofServer } }
  await expect(download(auditEndpoints.export, { query: { format: 'csv' } })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
  expect(storage.token.read()).toBe('token-of-ada')
})

test.each([
  [`attachment; filename="100.csv"; filename*=UTF-8''100%25.csv`, '100%.csv'],
  [`attachment; filename="100.csv"; filename*=UTF-8''100%.csv`, '100.csv'],
  ['attachment; filename=values.csv', 'values.csv'],
  ['attachment', ''],
])('LibreChat#4794 a file with the header %s is saved as %j', async (disposition, name) => {
  answer = {
    body: 'x',
    headers: { ...ofServer, 'content-type': 'text/csv', 'content-disposition': disposition },
  }
  const link = { href: '', download: '', click: vi.fn<() => void>() }
  vi.stubGlobal('document', { createElement: () => link })
  await download(auditEndpoints.export, { query: { format: 'csv' } })
  expect(link.download).toBe(name)
  expect(link.click).toHaveBeenCalledOnce()
})
