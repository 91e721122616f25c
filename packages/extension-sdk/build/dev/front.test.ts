import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { createFront } from './front.ts'
import { createRunningConsole } from './running-console.ts'

/** What answers before a console, and a console that tests write down. */
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
    extension: () => Promise.reject(new Error('not asked for')),
  })
  return serve((request, response) => void front(request, response, () => void response.end('handed on')))
}

const html = { accept: 'text/html' }

test('a page without a console says where one was looked for, and tries again', async () => {
  const nowhere = 'http://localhost:1'
  const front = await frontOf(nowhere)
  const page = await fetch(`${front}/app/hello`, { headers: html })
  expect(page.status).toBe(502)
  expect(page.headers.get('refresh')).toBe('3')
  expect(await page.text()).toBe(
    `No console answers at ${nowhere} (bad port). Start it, or say in PULT_CONSOLE where one runs.`,
  )
  const probe = await fetch(`${front}/api/probe`)
  expect(await probe.json()).toMatchObject({ code: 'BACKEND_UNREACHABLE' })
})

test('what a probe is refused with is handed on, and calls and files are left to others', async () => {
  const console = await serve((_request, response) => {
    response.writeHead(401).end('{"code":"UNAUTHENTICATED"}')
  })
  const front = await frontOf(console)
  const probe = await fetch(`${front}/api/probe`)
  expect([probe.status, await probe.text()]).toEqual([401, '{"code":"UNAUTHENTICATED"}'])
  for (const path of ['/api/docs/', '/icons/pult.svg', '/@dev/src/extension.ts', '/assets/x.js?production'])
    expect(await (await fetch(front + path, { headers: html })).text(), path).toBe('handed on')
})
