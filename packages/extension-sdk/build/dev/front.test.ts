import { createServer } from 'node:http'
import { extensionManifest } from '@pult/contract'
import { afterAll, expect, test } from 'vitest'
import { createFront } from './front.ts'
import { createRunningConsole } from './running-console.ts'

/** Starts a server, such as the front or a fake console, and returns its origin. */
async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  afterAll(() => void server.close())
  const address = server.address()
  return `http://localhost:${typeof address === 'object' ? address?.port : ''}`
}

const frontOf = (url: string) => {
  const front = createFront({
    console: createRunningConsole(url),
    extension: () => Promise.reject(new Error('unexpected read of the manifest')),
  })
  return serve((request, response) => void front(request, response, () => void response.end('passed on')))
}

const html = { accept: 'text/html' }

test('without a console, a page names the address it tried and retries', async () => {
  const nowhere = 'http://localhost:1'
  const front = await frontOf(nowhere)
  const page = await fetch(`${front}/app/hello`, { headers: html })
  expect(page.status).toBe(502)
  expect(page.headers.get('refresh')).toBe('3')
  expect(await page.text()).toBe(
    `No console answers at ${nowhere} (bad port). Start one, or set PULT_CONSOLE to its address.`,
  )
  const probe = await fetch(`${front}/api/probe`)
  expect(await probe.json()).toMatchObject({ code: 'BACKEND_UNREACHABLE' })
})

test('the rejection of a probe is passed on, and calls and files are left to other handlers', async () => {
  const console = await serve((_request, response) => {
    response.writeHead(401).end('{"code":"UNAUTHENTICATED"}')
  })
  const front = await frontOf(console)
  const probe = await fetch(`${front}/api/probe`)
  expect([probe.status, await probe.text()]).toEqual([401, '{"code":"UNAUTHENTICATED"}'])
  for (const path of ['/api/docs/', '/icons/pult.svg', '/@dev/src/extension.ts', '/assets/x.js?production'])
    expect(await (await fetch(front + path, { headers: html })).text(), path).toBe('passed on')
})

test('the store and the settings of an app that the server does not know work, and those of others are passed on', async () => {
  const url = await serve((_request, response) => response.writeHead(404).end('{"code":"NOT_FOUND"}'))
  const app = { id: 'heat', label: 'Heat', icon: 'box', productSku: 'heat', priority: 1, container: 'page' }
  const manifest = extensionManifest.parse({
    id: 'heat',
    version: '1.0.0',
    label: 'Heat',
    settings: [{ id: 'limit', type: 'number', label: 'Limit', default: 40 }],
    apps: [{ ...app, uuid: '0193a3f0-6b11-7d02-8a4e-5c9d1e2f3a40' }],
  })
  const front = createFront({
    console: createRunningConsole(url),
    extension: async () => ({ manifest, entry: '' }),
  })
  const origin = await serve(
    (request, response) => void front(request, response, () => void response.end('passed on')),
  )
  const store = `${origin}/api/projects/p1/apps/heat/store`
  const write = (revision: number) =>
    fetch(`${store}/north`, {
      method: 'PUT',
      headers: { 'if-match': `"${revision}"` },
      body: JSON.stringify({ value: 21 }),
    })
  expect((await write(0)).status).toBe(200)
  expect((await write(0)).status).toBe(409)
  expect(await (await fetch(store)).json()).toMatchObject({ items: [{ key: 'north', value: 21 }], total: 1 })
  expect((await fetch(`${store}/south`)).status).toBe(404)
  expect(await (await fetch(`${origin}/api/app-settings/heat`)).json()).toEqual({ values: { limit: 40 } })
  for (const path of [
    '/api/projects/p1/apps/other/store',
    '/api/projects/p1/notes',
    '/api/app-settings/other',
  ])
    expect(await (await fetch(origin + path)).text(), path).toBe('passed on')
})
