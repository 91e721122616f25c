import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, createServer as createRelay, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  debianProgram,
  expectPage,
  freePort,
  onFileEnd,
  openConsole,
  startNeighbour,
  testServer,
  wallExtension,
} from '@pult/testkit'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'

const nginx = await debianProgram('nginx')

const extensionsFolder = await wallExtension()

/** A relay between nginx and the server, which can break the connections. */
async function startRelay(to: string) {
  const open = new Set<Socket>()
  let bytesLeft = Infinity
  const { hostname, port } = new URL(to)
  const relay = createRelay((client) => {
    const server = connect({ host: hostname, port: Number(port) })
    for (const socket of [client, server]) {
      open.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          client.destroy()
          server.destroy()
        })
    }
    let isCut = false
    client.on('data', (part: Buffer) => {
      if (isCut) return
      isCut = part.length >= bytesLeft
      const passed = part.subarray(0, Math.min(part.length, bytesLeft))
      bytesLeft = isCut ? Infinity : bytesLeft - part.length
      server.write(passed, () => {
        if (isCut) client.destroy()
      })
    })
    server.pipe(client)
  })
  const own = await freePort()
  await new Promise<void>((listening) => relay.listen(own, '127.0.0.1', listening))
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  onFileEnd(() => {
    relay.close()
    cut()
  })
  return {
    port: own,
    cut,
    cutAfter: (bytes: number) => {
      bytesLeft = bytes
    },
  }
}

/** The sign-in page of an authentication proxy, on another origin. */
async function startSignInPage(): Promise<string> {
  const page = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Sign in at the proxy</h1>')
  })
  const port = await freePort()
  await new Promise<void>((listening) => page.listen(port, '127.0.0.1', listening))
  onFileEnd(() => page.close())
  return `http://127.0.0.1:${port}/`
}

const states = ['redirecting', 'down', 'page'] as const
type State = (typeof states)[number]

async function startFront({ mostBytes = '' }: { mostBytes?: string } = {}) {
  const port = await freePort()
  const server = await testServer({
    withConsole: true,
    extensionsFolder,
    settings: { PULT_URL: `http://localhost:${port}` },
  })
  const relay = await startRelay(server.url)
  const folder = await mkdtemp(join(tmpdir(), 'pult-nginx-'))
  onFileEnd(async () => rm(folder, { recursive: true, force: true }))
  const answers: Record<State, string> = {
    redirecting: `302 ${await startSignInPage()}`,
    down: '502',
    page: '200 "<h1>Sign in at the proxy</h1>"',
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const configuration = `
    daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors;
    events {}
    http {
      access_log off; default_type text/html; ${temporary.join(' ')}
      map $http_upgrade $connection_upgrade { default upgrade; '' close; }
      server {
        listen 127.0.0.1:${port}; ${mostBytes}
        location / {
          ${states.map((state) => `if (-f ${folder}/${state}) { return ${answers[state]}; }`).join('\n')}
          proxy_pass http://127.0.0.1:${relay.port};
          proxy_http_version 1.1;
          proxy_request_buffering off;
          proxy_set_header Host $http_host;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection $connection_upgrade;
        }
      }
    }`
  await writeFile(join(folder, 'nginx.conf'), configuration)
  if (nginx === null) throw new Error('nginx is not available')
  await startNeighbour(
    nginx,
    ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')],
    {
      isReady: async () => (await fetch(`http://127.0.0.1:${port}/api/health/live`)).ok,
    },
  )
  const owner = await server.given.person()
  await server.given.project(owner, { label: 'Messe', products: ['wall'] })
  const leave = async (state: State) => rm(join(folder, state), { force: true })
  return {
    server,
    relay,
    owner,
    front: { ...server, url: `http://localhost:${port}` },
    /** From now on nginx answers every request in this way. */
    enter: async (state: State) => {
      onTestFinished(async () => leave(state))
      await writeFile(join(folder, state), '')
    },
    leave,
  }
}

const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
const picture = (size: number) => ({
  name: 'stand.png',
  mimeType: 'image/png',
  buffer: Buffer.concat([png, Buffer.alloc(size - png.length)]),
})

describe.skipIf(nginx === null)('behind nginx', async () => {
  const { front, owner, relay, enter, leave } = await startFront()

  test('directus#18384 a file above the limit of the proxy is rejected with the reason, and without a retry', async () => {
    const { page, complaints } = await openConsole(front, { as: owner, path: '/app/wall' })
    const wall = page.getByRole('region', { name: 'Wall' })
    await wall.locator('input[type=file]').setInputFiles(picture(3_600_000))
    await expectPage(wall.getByRole('alert')).toContainText(
      'stand.png: A proxy in front of Pult rejects files and requests of this size. The operator can raise its limit',
    )
    await expectPage(wall.getByRole('button', { name: 'Dismiss' })).toBeVisible()
    await expectPage(wall.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('directus#18384 a 502 at sign-in reports that the server cannot be reached, and the next attempt signs in', async () => {
    const { page } = await openConsole(front)
    await page.getByPlaceholder('Username / E-Mail').fill(owner.email)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Password' }).click()
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await enter('down')
    await page.getByRole('button', { name: 'Login' }).click()
    await expectPage(page.getByRole('alert')).toContainText('The server cannot be reached at the moment')
    await leave('down')
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expectPage(page.getByRole('navigation').first()).toBeVisible()
  })

  test('silverbullet#1091 a page that a proxy sends instead of an answer leads to a reload', async () => {
    const { page } = await openConsole(front)
    await page.getByPlaceholder('Username / E-Mail').fill(owner.email)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Password' }).click()
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await enter('page')
    await page.getByRole('button', { name: 'Login' }).click()
    await expectPage(page.getByRole('alert')).toContainText('Your session with the proxy has ended')
    const early = await openConsole(front, { path: null })
    await leave('page')
    await early.page.goto('/')
    await expectPage(early.page.getByPlaceholder('Username / E-Mail')).toBeFocused()
    await enter('page')
    await early.page.getByPlaceholder('Username / E-Mail').fill(owner.email)
    await early.page.getByRole('button', { name: 'Next' }).click()
    await expectPage(early.page.getByRole('alert')).toContainText('Your session with the proxy has ended')
    await page.getByRole('alert').getByRole('button', { name: 'Reload the page' }).click()
    await expectPage(page.getByRole('heading', { name: 'Sign in at the proxy' })).toBeVisible()
  })

  test('silverbullet#1091 qui#1438 an ended session with an authentication proxy is shown on page and header, and reloads lead to its sign-in despite the service worker', async () => {
    const { page, expectAccessible } = await openConsole(front, {
      as: { token: await owner.openSession() },
      isCold: true,
    })
    const link = page.getByRole('navigation').getByRole('link', { name: 'Organizations' })
    await expectPage(link).toBeVisible()
    const worker = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)
    await expectPage.poll(worker).toBe(`${front.url}/sw.js`)

    await enter('redirecting')
    relay.cut()
    const notice = page.getByRole('banner').getByRole('status')
    await expectPage(notice).toContainText('Your session with the proxy has ended')
    await link.click()
    await expectPage(page.getByRole('main').getByRole('alert')).toContainText(
      'Your session with the proxy has ended',
    )
    await expectAccessible()
    await notice.getByRole('button', { name: 'Reload' }).click()
    const signIn = page.getByRole('heading', { name: 'Sign in at the proxy' })
    await expectPage(signIn).toBeVisible()

    await leave('redirecting')
    await enter('down')
    await page.goto(front.url)
    await expectPage(page.getByRole('heading', { name: 'Pult cannot reach its server' })).toBeVisible()
    await enter('redirecting')
    await leave('down')
    await expectPage(signIn).toBeVisible()
  })

  test('silverbullet#1091 the notice disappears after a sign-in at the proxy in another tab', async () => {
    const { page } = await openConsole(front, { as: owner })
    await expectPage(page.getByRole('navigation').first()).toBeVisible()
    await enter('redirecting')
    relay.cut()
    const notice = page.getByRole('banner').getByRole('status')
    await expectPage(notice).toContainText('Your session with the proxy has ended')
    await leave('redirecting')
    await expectPage(notice).toBeEmpty()
  })
})

describe.skipIf(nginx === null)('behind nginx without a size limit', async () => {
  const { front, owner, relay } = await startFront({ mostBytes: 'client_max_body_size 0;' })

  test('immich#20923 directus#26304 FILE-01 an upload that meets a 502 resumes and completes', async () => {
    const { page } = await openConsole(front, { as: owner, path: '/app/wall' })
    const wall = page.getByRole('region', { name: 'Wall' })
    await expectPage(wall.getByRole('button', { name: 'Choose a file' })).toBeVisible()
    const puts: string[] = []
    page.on('response', (response) => {
      const request = response.request()
      if (request.method() === 'PUT')
        puts.push(`${response.status()} from ${request.headers()['content-range'] ?? 'the beginning'}`)
    })
    relay.cutAfter(2_000_000)
    await wall.locator('input[type=file]').setInputFiles(picture(3_600_000))
    await expectPage(wall.getByText('stand.png 3600000')).toBeVisible()
    await expect
      .poll(() => puts)
      .toEqual([
        '502 from the beginning',
        expect.stringMatching(/^200 from bytes [1-9]\d+-3599999\/3600000$/),
      ])
    await expectPage(wall.getByRole('alert')).toHaveCount(0)
  })
})
