import { connect, createServer } from 'node:net'
import { expectPage, freePort, onFileEnd, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { isIpAddress } from './passkey-obstacle.ts'

/** Starts a server whose own address is an IP address. */
async function serverAtIpAddress(options: Parameters<typeof testServer>[0]) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const server = await testServer({ withConsole: true, settings: { PULT_URL: address }, ...options })
  const relay = createServer((client) => {
    const upstream = connect({ host: 'localhost', port: Number(new URL(server.url).port) })
    client.on('error', () => upstream.destroy()).pipe(upstream)
    upstream.on('error', () => client.destroy()).pipe(client)
  })
  await new Promise<void>((listening) => relay.listen(port, '127.0.0.1', listening))
  onFileEnd(() => relay.close())
  return { ...server, url: address }
}

test.each([
  ['127.0.0.1', true],
  ['192.168.178.20', true],
  ['[::1]', true],
  ['[2001:db8::1]', true],
  ['localhost', false],
  ['pult.example.org', false],
  ['192.168.1.5.example.org', false],
  ['10', false],
])('securo#403 the host %s is an IP address: %s', (hostname, isIp) => {
  expect(isIpAddress(hostname)).toBe(isIp)
})

test('securo#403 SimpleWebAuthn#615 at an IP address the sign-in gives the obstacle of passkeys, as do the account page and the log', async () => {
  const server = await serverAtIpAddress({})
  const address = server.url
  expect(
    server.logLines.filter((line) =>
      line.includes(`browsers do not offer passkeys, because ${address} is an IP address`),
    ),
  ).toHaveLength(1)
  const ada = await server.given.person()
  const login = await openConsole(server)
  await login.page.getByPlaceholder('Username / E-Mail').fill(ada.email)
  await login.page.getByRole('button', { name: 'Next' }).click()
  const passkey = login.page.getByRole('button', { name: 'Passkey' })
  await expectPage(passkey).toHaveAccessibleDescription('Passkeys do not work at an IP address')
  await expectPage(passkey).toHaveAttribute('aria-disabled', 'true')

  const account = await openConsole(server, { as: ada, path: '/me/passkey' })
  const obstacle = account.page.getByText('Passkeys need a host name')
  await expectPage(obstacle).toBeVisible()
  await expectPage(account.page.getByText(`This page was opened at ${address}`)).toBeVisible()
  await expectPage(account.page.getByRole('button', { name: 'Register passkey' })).toHaveCount(0)
  await account.expectAccessible()
})

test('securo#403 the set-up page at an IP address does not promise passkeys', async () => {
  const { page } = await openConsole(await serverAtIpAddress({ isNew: true }), { locale: 'en-GB' })
  const checks = page.getByRole('list', { name: 'Checks of this machine' })
  await expectPage(checks).toContainText(
    'Passkeys stay off: they need https and a host name, not an IP address',
  )
  await expectPage(checks).not.toContainText('work on this machine')
})
