import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true, settings: { PULT_URL: 'http://pult.example.org' } })

test('at another address than PULT_URL the notice names the setting for root, and links to the page at the public address', async () => {
  const as = await server.given.person({ isRoot: true })
  const { page, complaints } = await openConsole(server, { as, path: '/me/profile?tab=1' })
  const notice = page.getByRole('banner').getByRole('status')
  await expectPage(notice).toContainText('No live updates: PULT_URL names another address')
  await expectPage(notice.getByRole('link', { name: 'Open pult.example.org' })).toHaveAttribute(
    'href',
    /^http:\/\/pult\.example\.org\/me\/profile\?/,
  )
  expect(complaints).toEqual([])
})

test('at another address than PULT_URL other users see the notice in their language, without the setting', async () => {
  const opened = await openConsole(server, { as: await server.given.person(), path: null })
  const { page } = opened
  await page.addInitScript(() => localStorage.setItem('pult.locale', 'de-DE'))
  await page.goto('/')
  const notice = page.getByRole('banner').getByRole('status')
  await expectPage(notice).toContainText('Unter dieser Adresse keine Aktualisierung in Echtzeit')
  await expectPage(notice).not.toContainText('PULT_URL')
  await expectPage(notice.getByRole('link', { name: 'pult.example.org öffnen' })).toBeVisible()
  await opened.expectAccessibleInLooks()
})

test('at another address than PULT_URL the cards show the age of their data, and announce no reconnection', async () => {
  const ada = await server.given.person()
  await server.given.project(ada)
  const { page } = await openConsole(server, { as: ada })
  await expectPage(page.getByText(/^as of \d/).first()).toBeVisible()
  await expectPage(page.getByText('Reconnecting in')).toHaveCount(0)
})

test('over plain http under a host name, a page of an https installation states that it requires https, and links there', async () => {
  const https = await testServer({ withConsole: true, settings: { PULT_URL: 'https://pult.example.org' } })
  const { page, complaints, expectAccessible } = await openConsole(https, { path: null })
  await page.goto(`${https.url.replace('localhost', 'desk.pult.test')}/bift/some-token?x=1`)
  await expectPage(page.getByRole('alert')).toHaveText('This address requires https.')
  await expectPage(page.getByRole('link', { name: 'Open https://pult.example.org' })).toHaveAttribute(
    'href',
    'https://pult.example.org/bift/some-token?x=1',
  )
  await expectPage(page.getByText('Authentication init')).toHaveCount(0)
  await expectAccessible()
  expect(complaints).toEqual([])

  // A secure context, such as localhost, is not blocked.
  await page.goto('/')
  await expectPage(page.getByRole('heading', { name: 'Login' })).toBeVisible()
})

test('over plain http under a host name, an installation without https works', async () => {
  const plain = await testServer({ withConsole: true, settings: { PULT_URL: 'http://desk.pult.test' } })
  const { page } = await openConsole(plain, { path: null })
  await page.goto(plain.url.replace('localhost', 'desk.pult.test'))
  await expectPage(page.getByRole('heading', { name: 'Login' })).toBeVisible()
})

test('robots.txt excludes all pages, and an address of a file that does not exist returns 404', async () => {
  const robots = await fetch(`${server.url}/robots.txt`)
  expect([robots.status, robots.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/plain/),
  ])
  expect(await robots.text()).toBe('User-agent: *\nDisallow: /\n')
  for (const path of ['/favicon.ico', '/nope.js', '/.env'])
    expect((await fetch(server.url + path)).status).toBe(404)
})
