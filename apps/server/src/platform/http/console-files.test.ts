import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Language } from '../language.ts'
import { serveConsole } from './console-files.ts'
import { bareServer } from './testing/bare-server.ts'

const around = await mkdtemp(join(tmpdir(), 'pult-console-'))
const folder = join(around, 'dist')
await mkdir(join(folder, 'assets'), { recursive: true })
const files = {
  'index.html': '<!doctype html><title>Pult</title><!-- import map -->',
  'import-map.json': '{"imports":{},"integrity":{}}',
  'build.json': '{}',
  'sw.js': 'worker()',
  'favicon.svg': '<svg/>',
  '.env': 'hidden',
  'assets/main-12345678.js': 'plain()',
  'assets/main-12345678.js.br': 'brotli',
  'assets/main-12345678.js.gz': 'gzip',
  'assets/main-12345678.js.map': 'map',
  '../outside.txt': 'outside',
}
await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
afterAll(() => rm(around, { recursive: true }))

const installation = { isSetUp: true, language: 'de' as Language }
const defaults = {
  folder,
  styleHashes: [],
  extensionScripts: () => ({}),
  installation: () => Promise.resolve(installation),
}

async function consoleServer(options: { publicUrl?: string; serviceWorker?: boolean } = {}) {
  const publicUrl = options.publicUrl ?? 'http://localhost:8080'
  const app = bareServer({ publicUrl })
  await serveConsole(app, { ...defaults, publicUrl, serviceWorker: options.serviceWorker ?? true })
  afterAll(() => app.close())
  return app
}
const app = await consoleServer()

test('hashed files are served with a lifetime of a year, compressed if the client accepts it', async () => {
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

test('files with stable names are revalidated', async () => {
  for (const path of ['/favicon.svg', '/sw.js']) {
    expect([path, (await app.inject(path)).headers['cache-control']]).toEqual([path, 'no-cache'])
  }
})

test('DEC-46 the document is served for every page and never stored', async () => {
  for (const path of ['/', '/index.html', '/me/emails', '/bift/token', '/no/such/page']) {
    const answer = await app.inject(path)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect([path, answer.statusCode, answer.headers['cache-control']]).toEqual([path, 200, 'no-store'])
    expect(answer.body).toContain('<title>Pult</title>')
  }
})

test.each([
  [
    'Chromium',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
  ],
  [
    'headless Chromium',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36',
  ],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
])('RULE-75 the policy for %s requires a digest for each script', async (_name, userAgent) => {
  const { headers } = await app.inject({ url: '/', headers: { 'user-agent': userAgent } })
  expect(headers['integrity-policy']).toBe('blocked-destinations=(script)')
})

test.each([
  ['Safari', 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'],
  [
    'Chrome on iOS',
    'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'Firefox on iOS',
    'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15',
  ],
])(
  'RULE-75 the policy for %s, which would block modules, does not require digests',
  async (_name, userAgent) => {
    const { headers } = await app.inject({ url: '/', headers: { 'user-agent': userAgent } })
    expect(headers['integrity-policy']).toBeUndefined()
  },
)

test.each([
  '/api/none',
  '/assets/none.js',
  '/api',
  '/assets/none',
  '/nope.js',
  '/favicon.ico',
  '/.env',
  '/%2eenv',
  '/wp-login.php',
  '/wp-admin/setup.php?x=1',
  '/.git/config',
  '/me/emails.json',
  '/apple.png',
  '/bift.php',
])('an unknown call or file such as %s returns 404, not the document', async (path) => {
  const answer = await app.inject({ url: path, headers: { accept: 'text/html' } })
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' })
  expect((await app.inject({ method: 'HEAD', url: path })).statusCode).toBe(404)
})

test.each([
  '/app/media-library/hall.3/picture.final.png',
  '/bift/token.with.dots',
  '/me/emails?add=ada@example.org',
  '/app/.hidden',
])('a page whose address may contain dots opens: %s', async (url) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const answer = await app.inject({ method, url })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  }
})

test.each(['/%', '/app/edges/edit/%zz?tab=1', '/bift/%E0%A4%A'])(
  'TanStack/router#1686 the console opens at %s, an address that was cut off within a percent sign',
  async (url) => {
    const headers = { accept: 'text/html' }
    const { headers: sent } = await app.inject({ url, headers })
    const opened = await app.inject({ url: sent.location ?? '', headers })
    expect([opened.statusCode, opened.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  },
)

test('RULE-75 the document names the public address, and is not upgraded to https where a browser asks over plain http', async () => {
  const https = await consoleServer({ publicUrl: 'https://pult.example.org' })
  const upgrades = async (headers: Record<string, string>) => {
    const answer = await https.inject({ url: '/', headers })
    expect(answer.body).toContain('<meta name="pult-url" content="https://pult.example.org" />')
    return String(answer.headers['content-security-policy']).includes('upgrade-insecure-requests')
  }
  expect(await upgrades({ 'sec-fetch-mode': 'navigate' })).toBe(true)
  expect(await upgrades({ 'x-forwarded-proto': 'https' })).toBe(true)
  expect(await upgrades({})).toBe(false)
  expect((await app.inject('/')).headers['content-security-policy']).not.toContain('upgrade')
})

test.each([
  '/../outside.txt',
  '/%2e%2e/outside.txt',
  '/assets/..%2f..%2foutside.txt',
  '/assets/%5c..%5c..%5coutside.txt',
  '/build.json',
  '/import-map.json',
  '/.env',
  '/assets/main-12345678.js.br',
  '/assets/main-12345678.js.gz',
  '/assets/main-12345678.js.map',
])('only files of the console are served for %s', async (path) => {
  const { body } = await app.inject(path)
  expect(Object.values(files).filter((text) => !text.startsWith('<'))).not.toContain(body)
})

test('RULE-74 the server can withdraw the service worker', async () => {
  expect((await app.inject('/sw.js')).body).toBe('worker()')
  const withdrawn = await consoleServer({ serviceWorker: false })
  const answer = await withdrawn.inject('/sw.js')
  expect(answer.body).toContain('unregister()')
  expect(answer.headers['content-type']).toContain('text/javascript')
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('DEC-44 a loopback alias redirects to localhost with the path', async () => {
  for (const host of ['127.0.0.1:8080', '[::1]:8080']) {
    const answer = await app.inject({ url: '/me?tab=1', headers: { host } })
    expect([answer.statusCode, answer.headers.location]).toEqual([302, 'http://localhost:8080/me?tab=1'])
  }
  expect((await app.inject({ url: '/', headers: { host: 'localhost:8080' } })).statusCode).toBe(200)
})

test('DEC-44 a request with an absolute URL redirects to its path on the server’s own origin', async () => {
  const alone = await consoleServer()
  const { port } = new URL(await alone.listen({ host: '127.0.0.1', port: 0 }))
  const answerTo = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { host: `127.0.0.1:${port}` }
      get({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject)
    })
  for (const [asked, path] of [
    ['http://evil.example/', '/'],
    ['HTTPS://evil.example:81/me?tab=1', '/me?tab=1'],
    ['http://evil.example//evil.example/x', '//evil.example/x'],
  ] as const) {
    const { statusCode, headers } = await answerTo(asked)
    expect([asked, statusCode, headers.location]).toEqual([asked, 302, `http://localhost:8080${path}`])
  }
  expect((await answerTo('http://evil.example/api/none')).statusCode).toBe(404)
  expect((await answerTo('http://evil.example/favicon.svg')).headers['content-type']).toBe('image/svg+xml')
})

test('DEC-44 a proxy that connects by a loopback address gets no redirect loop', async () => {
  const behindProxy = await consoleServer({ publicUrl: 'https://pult.example.org' })
  expect((await behindProxy.inject({ url: '/', headers: { host: '127.0.0.1:8080' } })).statusCode).toBe(200)
})

test('a missing console build is reported with a remedy', async () => {
  await expect(
    serveConsole(bareServer(), {
      ...defaults,
      folder: join(folder, 'none'),
      publicUrl: 'http://localhost',
      serviceWorker: true,
    }),
  ).rejects.toThrow(/^The console is not built/)
})
