import { projectEndpoints, socketCloseCodes } from '@pult/contract'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const mark = ({ page }: OpenedConsole) => page.evaluate(() => Object.assign(globalThis, { loaded: 'once' }))
const isMarked = async ({ page }: OpenedConsole) =>
  (await page.evaluate(() => Reflect.get(globalThis, 'loaded'))) === 'once'
const navigation = ({ page }: OpenedConsole) => page.getByRole('navigation')
const login = ({ page }: OpenedConsole) => page.getByRole('heading', { name: 'Login' })
const storeToken = ({ page }: OpenedConsole, token: string) =>
  page.evaluate((value) => localStorage.setItem('pult.token', value), token)

/** Records the number of sockets that the page opens, and the token of each `auth` message. */
function watchSockets({ page }: OpenedConsole) {
  const tokens: string[] = []
  let count = 0
  page.on('websocket', (socket) => {
    count += 1
    socket.on('framesent', ({ payload }) => {
      const message = JSON.parse(String(payload))
      if (message.type === 'auth') tokens.push(message.token)
    })
  })
  return { tokens, sockets: () => count }
}

const server = await testServer({ withConsole: true })
const { given } = server

describe('two tabs of one browser', () => {
  test('DEC-02 a sign-out in one tab ends the session of the other in place', async () => {
    const here = await openConsole(server, { as: await given.person() })
    const there = await openConsole(server, { sameBrowserAs: here })
    await expectPage(navigation(there)).toBeVisible()
    await mark(here)
    await navigation(there).getByRole('button', { name: 'Logout' }).click()
    await expectPage(login(here)).toBeVisible()
    await expectPage(here.page.getByText('Your session has ended')).toBeVisible()
    expect(await isMarked(here)).toBe(true)
  })

  test('DEC-02 a sign-in in one tab signs the other in, even while the other starts with an older session', async () => {
    const [ada, grace] = [await given.person(), await given.person({ firstname: 'Grace' })]
    const here = await openConsole(server)
    await expectPage(login(here)).toBeVisible()
    const there = await openConsole(server, { sameBrowserAs: here, path: '/imprint' })
    const answered = Promise.withResolvers<void>()
    const isAsked = Promise.withResolvers<void>()
    await here.page.route('**/api/auth/reissue', async (route) => {
      isAsked.resolve()
      await answered.promise
      await route.continue()
    })
    await storeToken(there, ada.token)
    await isAsked.promise
    await storeToken(there, grace.token)
    answered.resolve()
    await expectPage(here.page.getByText(grace.email)).toBeVisible()
  })

  test('RULE-60 twelve tabs receive each change', async () => {
    const root = await given.person({ isRoot: true })
    const ada = await given.person()
    const { projectId } = await given.project(ada, { label: 'Messe' })
    const first = await openConsole(server, { as: ada })
    const tabs = [first]
    while (tabs.length < 12) tabs.push(await openConsole(server, { sameBrowserAs: first }))
    const shown = (label: string) =>
      Promise.all(
        tabs.map(({ page }) =>
          expectPage(page.getByRole('button', { name: `Active project: ${label}` })).toBeVisible(),
        ),
      )
    await shown('Messe')
    const change = { params: { projectId }, body: { label: 'Forum' } }
    expect(await root.call(projectEndpoints.update, change)).toSucceed()
    await shown('Forum')
  })

  test('DEC-02 a tab that receives a session’s end late keeps the next session', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada })
    await expectPage(page.getByText(ada.email)).toBeVisible()
    // A frozen tab receives the events of both changes only after the second one.
    await page.evaluate(() =>
      dispatchEvent(new StorageEvent('storage', { key: 'pult.token', newValue: null })),
    )
    await page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
    await expectPage(page.getByRole('heading', { name: 'Organizations' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('pult.token'))).not.toBeNull()
  })

  test('DEC-02 a sign-in as another user in one tab reloads the other', async () => {
    const [ada, grace] = [await given.person(), await given.person({ firstname: 'Grace' })]
    const here = await openConsole(server, { as: ada })
    await expectPage(here.page.getByText(ada.email)).toBeVisible()
    const there = await openConsole(server, { sameBrowserAs: here })
    await expectPage(navigation(there)).toBeVisible()
    await mark(here)
    await storeToken(there, grace.token)
    await expectPage(here.page.getByText(grace.email)).toBeVisible()
    expect(await isMarked(here)).toBe(false)
  })

  test('DEC-02 a page that fails to check a new token retries, and reloads for the other user', async () => {
    const [ada, grace] = [await given.person(), await given.person({ firstname: 'Grace' })]
    const here = await openConsole(server, { as: ada })
    const { page } = here
    await page.clock.install()
    await page.goto('/')
    await expectPage(page.getByText(ada.email)).toBeVisible()
    const there = await openConsole(server, { sameBrowserAs: here })
    await expectPage(navigation(there)).toBeVisible()
    const isAsked = Promise.withResolvers<void>()
    await page.route(/\/api\/me$/, async (route) => {
      await route.abort()
      isAsked.resolve()
    })
    await storeToken(there, grace.token)
    await isAsked.promise
    await page.unroute(/\/api\/me$/)
    await page.clock.fastForward(5000)
    await expectPage(page.getByText(grace.email)).toBeVisible()
  })

  test('DEC-02 a socket that the server closes for another user’s token makes the page reload', async () => {
    const [ada, grace] = [await given.person(), await given.person({ firstname: 'Grace' })]
    const here = await openConsole(server, { as: ada, path: null })
    const sockets: { close: (options: { code: number }) => Promise<void> }[] = []
    await here.context.routeWebSocket('**/api/ws', (socket) => {
      sockets.push(socket)
      socket.connectToServer()
    })
    await here.page.goto('/')
    await expectPage(here.page.getByText(ada.email)).toBeVisible()
    await mark(here)
    // Browsers send no storage event to the page that made the change.
    await storeToken(here, grace.token)
    for (const socket of sockets) await socket.close({ code: socketCloseCodes.unauthenticated })
    await expectPage(here.page.getByText(grace.email)).toBeVisible()
    await expectPage.poll(() => isMarked(here)).toBe(false)
  })

  test('DEC-02 WS-01 after a reissue in one tab the other continues, and its socket uses the new token', async () => {
    const here = await openConsole(server, { as: await given.person(), path: null })
    const { tokens, sockets } = watchSockets(here)
    await here.page.goto('/')
    await expectPage(navigation(here)).toBeVisible()
    await mark(here)
    const there = await openConsole(server, { sameBrowserAs: here })
    await expectPage(navigation(there)).toBeVisible()
    const token = await there.page.evaluate(() => localStorage.getItem('pult.token'))
    await expectPage.poll(() => tokens.at(-1)).toBe(token)
    expect(sockets()).toBe(1)
    expect(await isMarked(here)).toBe(true)
  })
})

describe('the socket', () => {
  test('WS-01 a connection that opens and stays silent is closed and retried', async () => {
    const here = await openConsole(server, { as: await given.person(), path: null })
    let sockets = 0
    await here.context.routeWebSocket('**/api/ws', (socket) => {
      sockets += 1
      if (sockets > 1) socket.connectToServer()
    })
    await here.page.clock.install()
    await here.page.goto('/')
    await expectPage(navigation(here)).toBeVisible()
    expect(sockets).toBe(1)
    await here.page.clock.fastForward(11_000)
    await here.page.clock.fastForward(1000)
    await expectPage.poll(() => sockets).toBe(2)
    await expectPage(here.page.getByRole('banner').getByRole('status')).toBeEmpty()
  })

  test('DEC-48 a browser that reports offline signs in, connects and loads lists while the server responds', async () => {
    const ada = await given.person()
    const here = await openConsole(server, { path: null })
    const { tokens } = watchSockets(here)
    await here.page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })
      addEventListener('load', () => dispatchEvent(new Event('offline')))
    })
    await here.page.clock.install()
    await here.page.goto('/')
    await here.page.getByPlaceholder('Username / E-Mail').fill(ada.email)
    await here.page.getByRole('button', { name: 'Next', exact: true }).click()
    await here.page.getByRole('button', { name: 'Password', exact: true }).click()
    await here.page.getByLabel('Password', { exact: true }).fill(ada.password)
    await here.page.getByRole('button', { name: 'Login', exact: true }).click()
    await expectPage(navigation(here)).toBeVisible()
    // The start has connected. Without a connection it would wait for four seconds.
    expect(tokens).toHaveLength(1)
    await here.page.evaluate(() => dispatchEvent(new Event('offline')))
    await here.page.getByRole('link', { name: 'Organizations' }).click()
    await expectPage(here.page.getByText('No organisations yet').first()).toBeVisible()
    await here.page.clock.fastForward(3000)
    await expectPage(here.page.getByRole('banner').getByRole('status')).toBeEmpty()
  })

  test('WS-01 the delays grow while each connection ends right after it is ready, and begin again after one that lasted', async () => {
    const here = await openConsole(server, { as: await given.person(), path: null })
    const { clock } = here.page
    let isClosing = true
    let readies = 0
    let close = async () => {}
    await here.page.routeWebSocket('**/api/ws', (socket) => {
      close = () => socket.close({ code: 1011 })
      socket.connectToServer().onMessage((message) => {
        socket.send(message)
        if (!String(message).includes('"ready"')) return
        readies += 1
        if (isClosing) void close()
      })
    })
    await here.page.addInitScript(() => {
      const sockets = { opened: 0, closed: 0 }
      class Counted extends WebSocket {
        constructor(url: string | URL) {
          super(url)
          sockets.opened += 1
          this.addEventListener('close', () => {
            sockets.closed += 1
          })
        }
      }
      Object.assign(globalThis, { WebSocket: Counted, sockets })
    })
    await clock.install()
    await here.page.goto('/')
    await expectPage(navigation(here)).toBeVisible()
    const counts = (): Promise<{ opened: number; closed: number }> =>
      here.page.evaluate(() => Reflect.get(globalThis, 'sockets'))
    const opened = async () => (await counts()).opened
    const untilClosed = () =>
      expect
        .poll(async () => {
          const found = await counts()
          return found.opened > 0 && found.opened === found.closed
        })
        .toBe(true)
    for (let attempt = 0; attempt < 7; attempt += 1) {
      await untilClosed()
      await clock.fastForward(31_000)
    }
    await untilClosed()
    // The delay is 15 to 30 s now.
    const before = await opened()
    await clock.fastForward(14_000)
    expect(await opened()).toBe(before)
    isClosing = false
    const ended = readies
    await clock.fastForward(17_000)
    await expect.poll(() => readies).toBe(ended + 1)
    await clock.fastForward(61_000)
    await close()
    await untilClosed()
    await clock.fastForward(1000)
    expect(await opened()).toBe(before + 2)
  })

  test('WS-01 reconnects after a network loss with the current token', async () => {
    const here = await openConsole(server, { as: await given.person(), path: null })
    const { tokens, sockets } = watchSockets(here)
    await here.page.goto('/')
    await expectPage(navigation(here)).toBeVisible()
    await here.context.setOffline(true)
    await expectPage(here.page.getByText('You are offline')).toBeVisible()
    await here.context.setOffline(false)
    await expectPage(here.page.getByRole('banner').getByRole('status')).toBeEmpty()
    expect(sockets()).toBeGreaterThan(1)
    expect(tokens.at(-1)).toBe(await here.page.evaluate(() => localStorage.getItem('pult.token')))
  })

  test('RULE-34 BUILD-03 no URL that the console requests contains a token, and it stores only the keys of storage.ts in the browser', async () => {
    const here = await openConsole(server, { as: await given.person(), path: null })
    const addresses: string[] = []
    here.page.on('request', (request) => addresses.push(request.url()))
    here.page.on('websocket', (socket) => addresses.push(socket.url()))
    await here.page.goto('/')
    await expectPage(navigation(here)).toBeVisible()
    const token = (await here.page.evaluate(() => localStorage.getItem('pult.token'))) ?? ''
    expect(addresses.some((address) => address.includes('/api/ws'))).toBe(true)
    expect(addresses.filter((address) => address.includes(token))).toEqual([])
    const kept = await here.page.evaluate(() => Object.keys(localStorage))
    const known = new Set([
      'pult.token',
      'pult.activeProjectId',
      'pult.windowConfig',
      'pult.theme',
      'pult.unfinishedStart',
      'pult.device',
    ])
    expect(kept.filter((key) => !known.has(key))).toEqual([])
    expect(await here.context.cookies()).toEqual([])
  })
})
