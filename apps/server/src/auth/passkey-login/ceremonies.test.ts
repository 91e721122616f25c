import { confirmEndpoints, passkeyEndpoints } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { createNoticeService } from '../../account/notices/notice.service.ts'
import { createAuditService } from '../../audit/audit.service.ts'
import { createPeopleService } from '../../people/people.service.ts'
import { ceremonyPolicy } from '../attempts.ts'
import { type AskedFor, createCeremonies } from './ceremonies.ts'
import { registerPasskey } from './testing/register-passkey.ts'
import { createSoftwareAuthenticator } from './testing/software-authenticator.ts'

const server = await testServer()
const { db, url: publicUrl } = server
const ceremonies = createCeremonies({
  db,
  audit: createAuditService(db),
  notices: createNoticeService({
    people: createPeopleService(db),
    mailer: { enqueue: async () => {} },
    publicUrl,
  }),
  log: createLog('silent'),
  publicUrl,
})
const address = '127.0.0.1'

async function givenPasskey() {
  const person: GivenPerson = await server.given.person()
  const authenticator = createSoftwareAuthenticator({ origin: publicUrl })
  const { _id: passkeyId } = await registerPasskey(person, authenticator)
  const sessions = await db
    .selectFrom('session')
    .select('id')
    .where('person_id', '=', person.personId)
    .orderBy('created_at', 'desc')
    .execute()
  return { person, personId: person.personId, authenticator, passkeyId, sessionId: sessions[0]?.id ?? '' }
}

/** Starts one kind of ceremony and submits its answer as another kind. */
async function answerAs(
  authenticator: ReturnType<typeof createSoftwareAuthenticator>,
  asked: AskedFor,
  ...as: Parameters<typeof ceremonies.finish>[0][]
) {
  const { userToken, options } = await ceremonies.start(asked)
  const result = authenticator.assert(options)
  const proven = []
  for (const who of as) proven.push(await ceremonies.finish(who, { userToken, result }, address))
  return proven
}

test('RULE-20 RULE-21 a confirmation can be finished once, and only in its session', async () => {
  const { person, personId, authenticator, passkeyId, sessionId } = await givenPasskey()
  await person.login()
  const other = await db
    .selectFrom('session')
    .select('id')
    .where('person_id', '=', personId)
    .where('id', '!=', sessionId)
    .executeTakeFirstOrThrow()
  const asked = { ceremony: 'confirmation', personId, sessionId } as const

  expect(
    await answerAs(
      authenticator,
      asked,
      { ceremony: 'confirmation', sessionId: other.id },
      { ceremony: 'confirmation', sessionId },
      { ceremony: 'confirmation', sessionId },
    ),
  ).toEqual([null, { personId, passkeyId }, null])

  const { userToken, options } = await ceremonies.start(asked)
  expect(options.userVerification).toBe('required')
  const result = authenticator.assert(options, { userVerified: false })
  expect(await ceremonies.finish(asked, { userToken, result }, address)).toBeNull()
})

test('RULE-20 a login ceremony cannot confirm, and a confirmation ceremony cannot sign in', async () => {
  const { personId, authenticator, sessionId } = await givenPasskey()
  const confirmation = { ceremony: 'confirmation', personId, sessionId } as const
  const login = { ceremony: 'login', isNamed: true, personId } as const
  expect(await answerAs(authenticator, login, confirmation)).toEqual([null])
  expect(await answerAs(authenticator, confirmation, login)).toEqual([null])
  expect(await answerAs(authenticator, login, login)).toMatchObject([{ personId }])
})

test('RULE-23 a passkey of another user confirms nothing', async () => {
  const ada = await givenPasskey()
  const eve = await givenPasskey()
  const { personId, sessionId } = ada
  const asked = { ceremony: 'confirmation', personId, sessionId } as const
  expect(await answerAs(eve.authenticator, asked, asked)).toEqual([null])
  expect(await answerAs(ada.authenticator, asked, asked)).toMatchObject([{ personId }])
})

test('RULE-05 the passkey ceremonies of a session are limited, and those of other sessions do not count', async () => {
  const { person, sessionId } = await givenPasskey()
  const other = await person.openSession()
  const key = `${ceremonyPolicy.kind}:${sessionId}`
  expect(await person.call(confirmEndpoints.passkeyOptions)).toSucceed()
  expect(await person.call(passkeyEndpoints.registerOptions)).toSucceed()
  const { failures } = await db
    .selectFrom('attempt')
    .select('failures')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  // The first is the registration of the passkey.
  expect(failures).toBe(3)
  await db.updateTable('attempt').set({ failures: ceremonyPolicy.most }).where('key', '=', key).execute()
  expect(await person.call(confirmEndpoints.passkeyOptions)).toFailWith('TOO_MANY_REQUESTS')
  expect(await person.call(passkeyEndpoints.registerOptions)).toFailWith('TOO_MANY_REQUESTS')
  expect(await server.call(passkeyEndpoints.registerOptions, {}, other)).toSucceed()
})

test('RULE-05 RULE-06 a network that used up its passkey attempts can still confirm by passkey', async () => {
  const { person, authenticator } = await givenPasskey()
  await sql`insert into attempt (key, failures, blocked_until)
    select 'passkey:' || network, 100, now() + interval '5 minutes'
    from unnest(array['127.0.0.1', '::/64']) network`.execute(db)
  const { body } = await person.call(confirmEndpoints.passkeyOptions)
  const result = authenticator.assert(body.options)
  const proof = { type: 'passkey', userToken: body.userToken, result } as const
  expect(await person.call(confirmEndpoints.confirm, { body: proof })).toSucceed()
})

test('RULE-78 a failed confirmation is not audited as a failed login', async () => {
  const { personId, authenticator, sessionId } = await givenPasskey()
  const asked = { ceremony: 'confirmation', personId, sessionId } as const
  const { userToken, options } = await ceremonies.start(asked)
  const result = authenticator.assert(options, { isForged: true })
  expect(await ceremonies.finish(asked, { userToken, result }, address)).toBeNull()
  const logins = await db
    .selectFrom('audit')
    .select('id')
    .where('target', '=', personId)
    .where('event', '=', 'login.passkey')
    .execute()
  expect(logins).toEqual([])
})
