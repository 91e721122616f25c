import { loginEndpoints, meEndpoints, projectEndpoints, settingsEndpoints } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

const server = await testServer()
const { given, db } = server

const logIn = (person: GivenPerson, ahead: unknown, password = person.password) =>
  server.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: person.email, password }, ahead: ahead as string[] },
  })

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

describe('what is asked with a sign-in', () => {
  test('API-02 LOGIN-06 comes with the token, as the calls themselves answer it', async () => {
    const ada = await given.person()
    const project = await given.project(ada, { label: 'Hall 7' })
    const one = `/api/projects/${project.projectId}`
    const asked = ['/api/me', '/api/projects?limit=1', one, '/api/probe', '/api/me/settings']
    const { body } = await logIn(ada, [...asked, `/api/probe?project=${project.projectId}`])
    const { ahead = {}, token } = body
    expect(Object.keys(ahead).toSorted()).toEqual(
      [...asked, `/api/probe?project=${project.projectId}`].toSorted(),
    )
    expect(ahead['/api/me']).toEqual((await server.call(meEndpoints.read, {}, token)).body)
    expect(ahead['/api/me/settings']).toEqual((await server.call(settingsEndpoints.read, {}, token)).body)
    expect(ahead['/api/projects?limit=1']).toEqual(
      (await server.call(projectEndpoints.list, { query: { limit: '1' } }, token)).body,
    )
    expect(ahead[one]).toMatchObject({ _id: project.projectId, label: 'Hall 7' })
  })

  test('API-02 nobody who asks nothing is answered more than the token', async () => {
    const ada = await given.person()
    for (const ahead of [undefined, [], ['/api/build']])
      expect((await logIn(ada, ahead)).body).toEqual({ next: 'redeem', token: expect.any(String) as string })
  })

  test('API-02 is left out where it may not be asked so, or is refused to who signs in', async () => {
    const ada = await given.person()
    const other = await given.project(await given.person())
    const { body } = await logIn(ada, [
      '/api/me',
      '/api/me/account/emails',
      '/api/organisations',
      `/api/projects/${other.projectId}`,
      '/api/projects/../me/sessions',
      'https://elsewhere.example/api/me',
    ])
    expect(Object.keys(body.ahead ?? {})).toEqual(['/api/me'])
  })

  test('RULE-25 is not answered before the second factor is there, and with it', async () => {
    const ada = await given.person({ otp: true })
    const first = await logIn(ada, ['/api/me'])
    expect(first.body).toEqual({ next: 'otp', voucher: expect.any(String) as string })
    const { voucher = '' } = first.body
    server.watchSecret(voucher)
    const { body } = await server.call(loginEndpoints.login, {
      body: { type: 'otp', data: { voucher, otp: ada.otp.code() }, ahead: ['/api/me'] },
    })
    expect(body.ahead?.['/api/me']).toMatchObject({ _id: ada.personId, otpEnabled: true })
  })

  test('RULE-04 is answered to nobody whose password is wrong', async () => {
    const ada = await given.person()
    const answer = await logIn(ada, ['/api/me'], 'wrong password')
    expect(answer).toFailWith('INVALID_CREDENTIALS')
    expect(JSON.stringify(answer.body)).not.toContain(ada.personId)
  })

  test('the sign-in does not wait for what takes long', async () => {
    const ada = await given.person()
    const held = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const lock = db.transaction().execute(async (trx) => {
      await sql`lock table settings in access exclusive mode`.execute(trx)
      isLocked.resolve()
      await held.promise
    })
    await isLocked.promise
    const from = performance.now()
    const { body } = await logIn(ada, ['/api/me', '/api/me/settings'])
    // The database itself gives a statement up after seconds.
    expect(performance.now() - from).toBeLessThan(1500)
    held.resolve()
    await lock
    expect(Object.keys(body.ahead ?? {})).toEqual(['/api/me'])
  })

  test.each([
    ['a text', '/api/me'],
    ['seven addresses', Array.from({ length: 7 }, () => '/api/me')],
    ['an address of 201 characters', [`/api/projects?limit=${'1'.repeat(182)}`]],
    ['numbers', [1]],
  ])('API-02 %s is a malformed call', async (_, ahead) => {
    expect(await logIn(await given.person(), ahead)).toFailWith('VALIDATION_FAILED')
  })
})
