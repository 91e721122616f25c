import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const mark = ({ page }: OpenedConsole) => page.evaluate(() => Object.assign(globalThis, { loaded: 'once' }))
const isMarked = async ({ page }: OpenedConsole) =>
  (await page.evaluate(() => Reflect.get(globalThis, 'loaded'))) === 'once'
const navigation = ({ page }: OpenedConsole) => page.getByRole('navigation')
const login = ({ page }: OpenedConsole) => page.getByRole('heading', { name: 'Login' })
const storeToken = ({ page }: OpenedConsole, token: string) =>
  page.evaluate((value) => localStorage.setItem('pult.token', value), token)

/** How many sockets the page opens, and the token of each `auth` message it sends. */
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

describe('two tabs of one browser', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('DEC-02 signing out in one leads the other to the login', async () => {
    const here = await openConsole(server, { as: await given.person() })
    const there = await openConsole(server, { sameBrowserAs: here })
    await expectPage(navigation(there)).toBeVisible()
    await mark(here)
    await navigation(there).getByRole('button', { name: 'Logout' }).click()
    await expectPage(login(here)).toBeVisible()
    expect(await isMarked(here)).toBe(false)
  })

  test('DEC-02 signing in in one signs the other in', async () => {
    const ada = await given.person()
    const here = await openConsole(server)
    const there = await openConsole(server, { sameBrowserAs: here })
    await expectPage(login(here)).toBeVisible()
    await storeToken(there, ada.token)
    await expectPage(navigation(here)).toBeVisible()
  })

  test('DEC-02 signing in as somebody else in one starts the other anew', async () => {
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

  test('DEC-02 WS-01 a mere reissue in one changes nothing in the other, whose socket goes on with the new token', async () => {
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

describe('the socket', async () => {
  const server = await testServer({ withConsole: true })

  test('WS-01 comes back after the network was away, with the token of then', async () => {
    const here = await openConsole(server, { as: await server.given.person(), path: null })
    const { tokens, sockets } = watchSockets(here)
    await here.page.goto('/')
    await expectPage(navigation(here)).toBeVisible()
    await here.context.setOffline(true)
    await expectPage(here.page.getByText('You are offline')).toBeVisible()
    await here.context.setOffline(false)
    await expectPage(here.page.getByRole('banner').getByRole('status')).toBeEmpty()
    expect(sockets()).toBe(2)
    expect(tokens.at(-1)).toBe(await here.page.evaluate(() => localStorage.getItem('pult.token')))
  })

  test('RULE-34 no token is in any address that the console asks for', async () => {
    const here = await openConsole(server, { as: await server.given.person(), path: null })
    const addresses: string[] = []
    here.page.on('request', (request) => addresses.push(request.url()))
    here.page.on('websocket', (socket) => addresses.push(socket.url()))
    await here.page.goto('/')
    await expectPage(navigation(here)).toBeVisible()
    const token = (await here.page.evaluate(() => localStorage.getItem('pult.token'))) ?? ''
    expect(addresses.some((address) => address.includes('/api/ws'))).toBe(true)
    expect(addresses.filter((address) => address.includes(token))).toEqual([])
  })

  test('BUILD-03 the console keeps nothing in the browser that is not listed in storage.ts', async () => {
    const here = await openConsole(server, { as: await server.given.person() })
    await expectPage(navigation(here)).toBeVisible()
    const kept = await here.page.evaluate(() => Object.keys(localStorage))
    const known = new Set(['pult.token', 'pult.activeProjectId', 'pult.windowConfig', 'pult.theme'])
    expect(kept.filter((key) => !known.has(key))).toEqual([])
    expect(await here.context.cookies()).toEqual([])
  })
})
