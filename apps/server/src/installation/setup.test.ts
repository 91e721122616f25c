import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setupEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const rosa = { firstname: 'Rosa', lastname: 'Root', password: 'eine gute lange Kette' }

const newServer = () => testServer({ isNew: true, withConsole: true })
type NewServer = Awaited<ReturnType<typeof newServer>>

const setUpToken = async ({ app, watchSecret }: NewServer) => {
  const token = (await app.firstRootLink())?.split('/bift/')[1] ?? ''
  watchSecret(token)
  return token
}
const redeem = (server: NewServer, token: string, body: object = rosa) =>
  server.call(tokenLinkEndpoints.redeem, { params: { token }, body })

const open = (server: NewServer, path: string, language = 'fr') =>
  fetch(`${server.url}${path}`, { redirect: 'manual', headers: { 'accept-language': language } })
const languageOf = async (answer: Response) => /<html lang="([^"]+)"/.exec(await answer.text())?.[1]

test('while no root exists, every console address redirects to the set-up page, on each node until it sees a root', async () => {
  const server = await newServer()
  const second = await testServer({ isNew: true, withConsole: true, besides: server })
  await server.given.person()
  for (const node of [server, second]) {
    for (const path of ['/', '/me/profile', '/app/edges?project=x', '/no/such/page']) {
      const answer = await open(node, path)
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, '/bift'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    expect((await open(node, '/bift')).status).toBe(200)
    expect((await open(node, '/first.js')).status).toBe(200)
    expect((await node.call(setupEndpoints.read)).body).toEqual({
      database: expect.stringMatching(/^\d+(\.\d+)*$/),
      folder: { isWritable: true, free: expect.any(Number) },
      restoreFailedAt: null,
    })
  }

  expect(await redeem(server, await setUpToken(server))).toSucceed()
  for (const node of [server, second]) {
    expect((await open(node, '/')).status).toBe(200)
    expect(await node.call(setupEndpoints.read)).toFailWith('NOT_FOUND')
  }
})

test('after the set-up, a page costs no statement and needs no database', async () => {
  const server = await newServer()
  await server.given.person({ isRoot: true })
  expect((await open(server, '/')).status).toBe(200)
  await server.db.deleteFrom('person').execute()
  expect((await open(server, '/')).status).toBe(200)
  expect(await server.call(setupEndpoints.read)).toFailWith('NOT_FOUND')
})

test('the checks report a data folder that cannot be written', async () => {
  const server = await newServer()
  await rm(server.dataFolder, { recursive: true })
  expect((await server.call(setupEndpoints.read)).body.folder).toEqual({ isWritable: false, free: null })
})

test('DEC-28 the set-up page is in the browser’s language, and later pages are in the chosen one', async () => {
  const server = await newServer()
  for (const [accepted, shown] of [
    ['en-US,en;q=0.9', 'en'],
    ['de-AT,de;q=0.9', 'de-DE'],
    ['fr-FR', 'de'],
  ] as const) {
    expect(await languageOf(await open(server, '/bift', accepted))).toBe(shown)
  }
  const token = await setUpToken(server)
  expect((await server.call(tokenLinkEndpoints.preflight, { params: { token } })).body.data).toEqual({
    email: 'root@localhost',
    user: null,
    isFirstRoot: true,
  })
  expect(await redeem(server, token, { ...rosa, language: 'fr' })).toFailWith('VALIDATION_FAILED')
  expect(await redeem(server, token, { ...rosa, language: 'en' })).toSucceed()
  expect(await languageOf(await open(server, '/', 'de-DE'))).toBe('en')
  expect(await languageOf(await open(server, '/bift/x', 'de-DE'))).toBe('en')
})

test('DEC-28 an installation without a chosen language uses the default', async () => {
  const server = await newServer()
  expect(await redeem(server, await setUpToken(server))).toSucceed()
  expect(await languageOf(await open(server, '/', 'en'))).toBe('de')
})

test('RULE-43 an invitation cannot set the language of the installation', async () => {
  const server = await newServer()
  const { link } = await server.app.invitations.invite({ email: 'ines@example.org', isRoot: true })
  const token = link.split('/bift/')[1] ?? ''
  server.watchSecret(token)
  expect(await redeem(server, token, { ...rosa, language: 'en' })).toFailWith('VALIDATION_FAILED')
  expect(await redeem(server, token)).toSucceed()
})

test('RULE-79 of two concurrent redemptions of a set-up link, one creates the root and sets the language', async () => {
  const server = await newServer()
  const token = await setUpToken(server)
  const [en, german] = await Promise.all([
    redeem(server, token, { ...rosa, language: 'en' }),
    redeem(server, token, { ...rosa, firstname: 'Ruth', language: 'de-DE' }),
  ])
  expect([en.status, german.status].toSorted()).toEqual([200, 410])
  const roots = await server.db.selectFrom('person').select('firstname').execute()
  const { language } = await server.db.selectFrom('installation').select('language').executeTakeFirstOrThrow()
  expect([roots, language]).toEqual(
    en.status === 200 ? [[{ firstname: 'Rosa' }], 'en'] : [[{ firstname: 'Ruth' }], 'de-DE'],
  )
})

test('only the holder of the set-up link lists and restores backups, and only while no root exists', async () => {
  const settings = { BACKUP_FOLDER: await mkdtemp(join(tmpdir(), 'pult-setup-')) }
  const server = await testServer({ isNew: true, withConsole: true, settings })
  const order = (token: string) => ({ token, archive: '20261124T020000000Z-1a2b3c4d.pult', key: '' })
  const call = (token: string) =>
    Promise.all([
      server.call(setupEndpoints.backups, { body: { token } }),
      server.call(setupEndpoints.restore, { body: order(token) }),
    ])
  for (const answer of await call('a'.repeat(43))) expect(answer).toFailWith('LINK_NOT_VALID')
  const token = await setUpToken(server)
  const [list, restore] = await call(token)
  expect(list.body).toEqual({ place: settings.BACKUP_FOLDER, archives: [], restoreFailure: null })
  expect(restore).toFailWith('BACKUP_NOT_RESTORABLE')
  expect(await redeem(server, token)).toSucceed()
  for (const answer of await call(token)) expect(answer).toFailWith('NOT_FOUND')
  await rm(settings.BACKUP_FOLDER, { recursive: true })
})

test('every visitor sees that a restore failed, and only the holder of the set-up link sees the reason', async () => {
  const restoreFailure = { at: '2026-11-24T02:00:00.000Z', reason: '/srv/backups/archives/a.pult is damaged' }
  const server = await testServer({ isNew: true, withConsole: true, restoreFailure })
  const { body } = await server.call(setupEndpoints.read)
  expect(body.restoreFailedAt).toBe(restoreFailure.at)
  expect(JSON.stringify(body)).not.toContain('damaged')
  const backups = (token: string) => server.call(setupEndpoints.backups, { body: { token } })
  expect(await backups('a'.repeat(43))).toFailWith('LINK_NOT_VALID')
  expect((await backups(await setUpToken(server))).body).toEqual({
    place: null,
    archives: [],
    restoreFailure,
  })
})
