import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { serveConsole } from './console-files.ts'
import { createHttpServer } from './server.ts'

const folder = await mkdtemp(join(tmpdir(), 'pult-console-'))
await mkdir(join(folder, 'assets'))
await Promise.all([
  writeFile(join(folder, 'index.html'), '<!doctype html><title>Pult</title>'),
  writeFile(join(folder, 'build.json'), '{}'),
  writeFile(join(folder, 'sw.js'), 'worker()'),
  writeFile(join(folder, 'assets/main-12345678.js'), 'plain()'),
  writeFile(join(folder, 'assets/main-12345678.js.br'), 'brotli'),
  writeFile(join(folder, '..', 'outside.txt'), 'outside'),
])
afterAll(() => rm(folder, { recursive: true }))

async function consoleServer(options: { publicUrl?: string; serviceWorker?: boolean } = {}) {
  const publicUrl = options.publicUrl ?? 'http://localhost:8080'
  const app = createHttpServer({
    publicUrl,
    trustedProxies: [],
    styleHashes: [],
    log: createLog('silent'),
  })
  await serveConsole(app, { folder, publicUrl, serviceWorker: options.serviceWorker ?? true })
  afterAll(() => app.close())
  return app
}
const app = await consoleServer()

test('serves hashed files for a year, compressed where the client takes it', async () => {
  const plain = await app.inject('/assets/main-12345678.js')
  expect(plain.body).toBe('plain()')
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const compressed = await app.inject({
    url: '/assets/main-12345678.js',
    headers: { 'accept-encoding': 'gzip, br' },
  })
  expect(compressed.headers['content-encoding']).toBe('br')
  expect(compressed.body).toBe('brotli')
})

test('DEC-46 the document is given for every page and never stored', async () => {
  for (const path of ['/', '/me/emails', '/bift/token', '/no/such/page']) {
    const answer = await app.inject(path)
    expect([path, answer.statusCode, answer.headers['cache-control']]).toEqual([path, 200, 'no-store'])
    expect(answer.body).toContain('<title>Pult</title>')
  }
})

test('a call or a file that does not exist is a 404, not the document', async () => {
  for (const path of ['/api/none', '/assets/none.js', '/api']) {
    expect((await app.inject(path)).statusCode).toBe(404)
  }
})

test.each([
  '/../outside.txt',
  '/%2e%2e/outside.txt',
  '/assets/..%2f..%2foutside.txt',
  '/assets/%5c..%5c..%5coutside.txt',
  '/build.json',
  '/.sources',
])('gives no file but those of the console for %s', async (path) => {
  const { body } = await app.inject(path)
  expect(body).not.toBe('outside')
  expect(body).not.toBe('{}')
})

test('RULE-74 the server can withdraw the service worker', async () => {
  expect((await app.inject('/sw.js')).body).toBe('worker()')
  const withdrawn = await consoleServer({ serviceWorker: false })
  const answer = await withdrawn.inject('/sw.js')
  expect(answer.body).toContain('unregister()')
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('DEC-44 leads from a loopback alias to localhost, path and all', async () => {
  for (const host of ['127.0.0.1:8080', '[::1]:8080']) {
    const answer = await app.inject({ url: '/me?tab=1', headers: { host } })
    expect([answer.statusCode, answer.headers.location]).toEqual([302, 'http://localhost:8080/me?tab=1'])
  }
  expect((await app.inject({ url: '/', headers: { host: 'localhost:8080' } })).statusCode).toBe(200)
})

test('DEC-44 a proxy that calls by a loopback address is not sent in circles', async () => {
  const behindProxy = await consoleServer({ publicUrl: 'https://pult.example.org' })
  expect((await behindProxy.inject({ url: '/', headers: { host: '127.0.0.1:8080' } })).statusCode).toBe(200)
})

test('says what to do when the console is not built', async () => {
  const http = createHttpServer({
    publicUrl: 'http://localhost',
    trustedProxies: [],
    styleHashes: [],
    log: createLog('silent'),
  })
  await expect(
    serveConsole(http, { folder: join(folder, 'none'), publicUrl: 'http://localhost', serviceWorker: true }),
  ).rejects.toThrow(/^The console is not built/)
})
