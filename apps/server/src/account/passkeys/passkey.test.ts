import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  confirmEndpoints,
  limits,
  meEndpoints,
  passkeyEndpoints,
  passkeyLoginEndpoints,
} from '@pult/contract'
import { type GivenPerson, openMailbox, testServer } from '@pult/testkit'
import fc from 'fast-check'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, test } from 'vitest'
import { registerPasskey } from '../../auth/passkey-login/testing/register-passkey.ts'
import {
  createSoftwareAuthenticator,
  type RegistrationMisbehaviour,
  type SoftwareAuthenticator,
} from '../../auth/passkey-login/testing/software-authenticator.ts'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
const { given, db } = server

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

type Caller = Pick<GivenPerson, 'call'>

const authenticatorWith = (aaguid?: string) =>
  createSoftwareAuthenticator({ origin: server.url, ...(aaguid === undefined ? {} : { aaguid }) })

async function start(person: Caller) {
  const answer = await person.call(passkeyEndpoints.registerOptions)
  expect(answer).toSucceed()
  server.watchSecret(answer.body.challenge)
  return answer.body
}

async function register(
  person: Caller,
  wrong: RegistrationMisbehaviour = {},
  authenticator: SoftwareAuthenticator = authenticatorWith(),
) {
  const result = authenticator.register(await start(person), wrong)
  return person.call(passkeyEndpoints.registerResult, { body: { result, label: 'Laptop' } })
}

const list = async (person: Caller) => {
  const answer = await person.call(passkeyEndpoints.list)
  expect(answer).toSucceed()
  return answer.body
}

const remove = (person: Caller, passkeyId: string) =>
  person.call(passkeyEndpoints.remove, { params: { passkeyId } })

async function login(authenticator: SoftwareAuthenticator) {
  const { body } = await server.call(passkeyLoginEndpoints.options, { body: {} })
  const result = authenticator.assert(body.options)
  const answer = await server.call(passkeyLoginEndpoints.verify, {
    body: { userToken: body.userToken, result },
  })
  if (answer.body.token !== undefined) server.watchSecret(answer.body.token)
  return answer.body
}

const withoutPassword = ({ personId }: GivenPerson) =>
  db.updateTable('person').set({ password_hash: null }).where('id', '=', personId).execute()

/** Inserts passkey rows without usable keys. */
async function fillWith(count: number, { personId }: GivenPerson): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    id: uuidv7(),
    person_id: personId,
    credential_id: uuidv7(),
    public_key: Buffer.from([0]),
    counter: 0,
    transports: [],
    aaguid: '00000000-0000-0000-0000-000000000000',
    label: 'Filler',
  }))
  await db.insertInto('passkey').values(rows).execute()
}

/** Waits until `count` calls are blocked by the lock of the test. */
async function untilWaiting(count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      server.db,
    )
    if (rows.length >= count) return
    await delay(10)
  }
}

const auditOf = (personId: string, event: string) =>
  db
    .selectFrom('audit')
    .select(['result', 'actor_id', 'target', 'address', 'detail'])
    .where('target', '=', personId)
    .where('event', '=', event)
    .execute()

test('API-12 passkeys can be added, listed newest first, and deleted', async () => {
  const ada = await given.person()
  expect(await list(ada)).toEqual({ items: [], total: 0 })

  const keychain = authenticatorWith('fbfc3007-154e-4ecc-8c0b-6e020557d7bd')
  const added = await ada.call(passkeyEndpoints.registerResult, {
    body: { result: keychain.register(await start(ada)), label: '  Ada’s MacBook  ' },
  })
  expect(added).toSucceed()
  expect(added.body).toEqual({
    verified: true,
    meta: {
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      label: 'Ada’s MacBook',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastUsedAt: null,
      authenticator: 'iCloud Keychain',
    },
  })
  const key = await registerPasskey(ada, authenticatorWith(), 'Key')
  expect(key.authenticator).toBeNull()
  expect(await list(ada)).toEqual({ items: [key, added.body.meta], total: 2 })

  expect((await login(keychain)).verified).toBe(true)
  const used = (await list(ada)).items[1]
  expect(used?.lastUsedAt).toMatch(/^\d{4}-/)

  const answer = await remove(ada, key._id)
  expect(answer).toSucceed()
  expect(answer.body).toBe(true)
  expect(await list(ada)).toEqual({ items: [used], total: 1 })
})

test('DEC-03 RULE-21 registration requires a resident key with user verification and excludes existing credentials', async () => {
  const ada = await given.person({ email: 'Ada.King@example.org' })
  const authenticator = authenticatorWith()
  await registerPasskey(ada, authenticator)
  const eve = await given.person()
  await registerPasskey(eve, authenticatorWith())
  const options = await start(ada)
  expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
  expect({ ...options, challenge: '' }).toEqual({
    challenge: '',
    rp: { id: 'localhost', name: 'Pult' },
    user: {
      id: Buffer.from(ada.personId.replaceAll('-', ''), 'hex').toString('base64url'),
      name: 'Ada.King@example.org',
      displayName: 'Ada Lovelace',
    },
    pubKeyCredParams: [
      { alg: -8, type: 'public-key' },
      { alg: -7, type: 'public-key' },
      { alg: -257, type: 'public-key' },
    ],
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: [
      { id: authenticator.credentialIds()[0], type: 'public-key', transports: ['internal', 'hybrid'] },
    ],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    extensions: { credProps: true },
  })
})

test('RULE-15 adding and deleting a passkey require a recent sign-in', async () => {
  const ada = await given.person()
  const passkey = await registerPasskey(ada, authenticatorWith())
  const result = authenticatorWith().register(await start(ada))
  await ada.forgetSignIn()
  expect(await ada.call(passkeyEndpoints.registerOptions)).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await ada.call(passkeyEndpoints.registerResult, { body: { result, label: 'Laptop' } })).toFailWith(
    'RECENT_SIGN_IN_NEEDED',
  )
  expect(await remove(ada, passkey._id)).toFailWith('RECENT_SIGN_IN_NEEDED')
  expect(await list(ada)).toEqual({ items: [passkey], total: 1 })
})

test('API-12 passkey calls require a session', async () => {
  for (const endpoint of [passkeyEndpoints.list, passkeyEndpoints.registerOptions]) {
    expect(await server.call(endpoint)).toFailWith('UNAUTHENTICATED')
  }
  expect(await server.call(passkeyEndpoints.remove, { params: { passkeyId: uuidv7() } })).toFailWith(
    'UNAUTHENTICATED',
  )
})

test('RULE-20 a registration can be finished once, by its session, within five minutes', async () => {
  const ada = await given.person()
  const eve = await given.person()
  const otherToken = await ada.openSession()
  const result = authenticatorWith().register(await start(ada))
  const body = { result, label: 'Laptop' }
  expect(await server.call(passkeyEndpoints.registerResult, { body }, otherToken)).toFailWith(
    'PASSKEY_NOT_ACCEPTED',
  )
  expect(await eve.call(passkeyEndpoints.registerResult, { body })).toFailWith('PASSKEY_NOT_ACCEPTED')

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ada.call(passkeyEndpoints.registerResult, { body })),
  )
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'PASSKEY_NOT_ACCEPTED')).toHaveLength(19)

  const late = authenticatorWith().register(await start(ada))
  await db
    .updateTable('passkey_challenge')
    .set({ expires_at: sql<Date>`now() - interval '1 millisecond'` })
    .execute()
  expect(
    await ada.call(passkeyEndpoints.registerResult, { body: { result: late, label: 'Late' } }),
  ).toFailWith('PASSKEY_NOT_ACCEPTED')
  expect((await list(ada)).total).toBe(1)
})

test('RULE-20 a failed registration consumes its challenge, of which only a digest was stored', async () => {
  const ada = await given.person()
  const options = await start(ada)
  const digest = createHash('sha256').update(options.challenge).digest()
  const stored = () =>
    db.selectFrom('passkey_challenge').selectAll().where('challenge_hash', '=', digest).execute()
  expect(await stored()).toMatchObject([{ ceremony: 'registration', person_id: ada.personId }])

  const call = (wrong: RegistrationMisbehaviour) =>
    ada.call(passkeyEndpoints.registerResult, {
      body: { result: authenticatorWith().register(options, wrong), label: 'Laptop' },
    })
  expect(await call({ userVerified: false })).toFailWith('PASSKEY_NOT_ACCEPTED')
  expect(await stored()).toEqual([])
  expect(await call({})).toFailWith('PASSKEY_NOT_ACCEPTED')
})

test('RULE-20 a ceremony for login or confirmation cannot register a passkey', async () => {
  const ada = await given.person()
  const signIn = await server.call(passkeyLoginEndpoints.options, { body: {} })
  const confirmation = await ada.call(confirmEndpoints.passkeyOptions)
  for (const { body } of [signIn, confirmation]) {
    const { challenge } = body.options
    const result = authenticatorWith().register({ ...(await start(ada)), challenge })
    expect(await ada.call(passkeyEndpoints.registerResult, { body: { result, label: 'Laptop' } })).toFailWith(
      'PASSKEY_NOT_ACCEPTED',
    )
  }
})

test.each<[string, RegistrationMisbehaviour]>([
  ['RULE-21 no user verification', { userVerified: false }],
  ['RULE-21 no user presence', { userPresent: false }],
  ['RULE-22 another origin', { origin: 'https://pult.example.net' }],
  ['RULE-22 another relying party', { rpId: 'example.net' }],
  ['RULE-22 a foreign frame', { crossOrigin: true }],
  [
    'RULE-22 a foreign frame with its top origin',
    { crossOrigin: true, topOrigin: 'https://evil.example.net' },
  ],
  ['RULE-22 a foreign frame without the cross-origin flag', { topOrigin: 'https://evil.example.net' }],
  ['RULE-20 another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['DEC-03 another ceremony', { type: 'webauthn.get' }],
  ['DEC-03 a credential id that is too long', { credentialId: Buffer.alloc(1024, 7) }],
  [
    'DEC-03 a key of another kind',
    {
      coseKey: new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -35],
        [-1, 2],
        [-2, new Uint8Array(48)],
        [-3, new Uint8Array(48)],
      ]),
    },
  ],
])('%s: the registration is rejected', async (_, wrong) => {
  const ada = await given.person()
  expect(await register(ada, wrong)).toFailWith('PASSKEY_NOT_ACCEPTED')
  expect(await list(ada)).toEqual({ items: [], total: 0 })
  expect(await register(ada)).toSucceed()
})

test('DEC-03 a credential id of the maximum length is accepted', async () => {
  const ada = await given.person()
  const authenticator = authenticatorWith()
  expect(await register(ada, { credentialId: Buffer.alloc(1023, 7) }, authenticator)).toSucceed()
  expect((await login(authenticator)).verified).toBe(true)
})

test('DEC-03 an unrequested attestation is ignored', async () => {
  const ada = await given.person()
  const attStmt = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(70)],
    ['x5c', [new Uint8Array([0x30, 0])]],
  ])
  expect(await register(ada, { attestation: { fmt: 'packed', attStmt } })).toSucceed()
})

test('RULE-27 a rejection contains no text of the library', async () => {
  const ada = await given.person()
  const options = await start(ada)
  const result = authenticatorWith().register(options, { origin: 'https://evil.example.net' })
  const answer = await ada.call(passkeyEndpoints.registerResult, { body: { result, label: 'Laptop' } })
  expect(answer.body).toEqual({
    code: 'PASSKEY_NOT_ACCEPTED',
    message: 'This passkey could not be added. Try again',
  })
})

test('RULE-23 a credential id can be added once, and the rejection does not name its owner', async () => {
  const ada = await given.person()
  const eve = await given.person()
  const credentialId = Buffer.alloc(32, 9)
  expect(await register(ada, { credentialId })).toSucceed()
  const own = await register(ada, { credentialId })
  const foreign = await register(eve, { credentialId })
  expect(own).toFailWith('PASSKEY_ADDED_ALREADY')
  expect(foreign).toFailWith('PASSKEY_ADDED_ALREADY')
  expect(foreign.body).toEqual(own.body)
  expect((await list(eve)).total).toBe(0)
})

test('API-12 the limit of passkeys per user holds for concurrent additions', async () => {
  const ada = await given.person()
  const results = [
    authenticatorWith().register(await start(ada)),
    authenticatorWith().register(await start(ada)),
  ]
  await fillWith(limits.passkeysMax - 1, ada)
  const answers = await Promise.all(
    results.map((result) => ada.call(passkeyEndpoints.registerResult, { body: { result, label: 'Laptop' } })),
  )
  expect(answers.map(({ code }) => code).toSorted()).toEqual(['TOO_MANY_PASSKEYS', undefined])
  expect((await list(ada)).total).toBe(limits.passkeysMax)
  expect(await ada.call(passkeyEndpoints.registerOptions)).toFailWith('TOO_MANY_PASSKEYS')
})

test('API-12 a label requires at least three characters', async () => {
  const ada = await given.person()
  const result = authenticatorWith().register(await start(ada))
  for (const label of ['ab', '  ab  ', 'a\u0000bc', 'x'.repeat(limits.passkeyLabelMax + 1)]) {
    expect(await ada.call(passkeyEndpoints.registerResult, { body: { result, label } })).toFailWith(
      'VALIDATION_FAILED',
    )
  }
  expect(await ada.call(passkeyEndpoints.registerResult, { body: { result, label: 'abc' } })).toSucceed()
})

test('RULE-26 passkeys of other users return 404', async () => {
  const ada = await given.person()
  const eve = await given.person()
  const passkey = await registerPasskey(ada, authenticatorWith())
  await registerPasskey(eve, authenticatorWith())
  const foreign = await remove(eve, passkey._id)
  const unknown = await remove(eve, uuidv7())
  expect(foreign).toFailWith('NOT_FOUND')
  expect(foreign.body).toEqual(unknown.body)
  expect(await list(ada)).toEqual({ items: [passkey], total: 1 })
})

test('RULE-26 the only means of sign-in cannot be removed', async () => {
  const ada = await given.person()
  const authenticator = authenticatorWith()
  const passkey = await registerPasskey(ada, authenticator)
  await withoutPassword(ada)
  expect(await remove(ada, passkey._id)).toFailWith('LAST_LOGIN_METHOD')
  expect(await list(ada)).toEqual({ items: [passkey], total: 1 })
  expect((await login(authenticator)).verified).toBe(true)
})

test('RULE-26 concurrent deletion of the last two passkeys leaves one', async () => {
  for (let round = 0; round < 5; round += 1) {
    const ada = await given.person()
    const passkeys = [
      await registerPasskey(ada, authenticatorWith()),
      await registerPasskey(ada, authenticatorWith()),
    ]
    await withoutPassword(ada)
    const answers = await Promise.all(passkeys.map(({ _id }) => remove(ada, _id)))
    expect(answers.map(({ code }) => code).toSorted()).toEqual(['LAST_LOGIN_METHOD', undefined])
    expect((await list(ada)).total).toBe(1)
  }
})

test('RULE-26 the last passkey can be deleted if a password exists, and its sessions remain', async () => {
  const ada = await given.person()
  const authenticator = authenticatorWith()
  const passkey = await registerPasskey(ada, authenticator)
  const { token } = await login(authenticator)
  expect(await remove(ada, passkey._id)).toSucceed()
  expect(await server.call(meEndpoints.read, {}, token)).toSucceed()
  expect((await login(authenticator)).verified).toBe(false)
})

test('RULE-32 a session that a concurrent change ended can neither add nor delete a passkey', async () => {
  const ada = await given.person()
  const passkey = await registerPasskey(ada, authenticatorWith())
  const result = authenticatorWith().register(await start(ada))
  const pending = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('person').select('id').where('id', '=', ada.personId).forUpdate().execute()
    const calls = [
      ada.call(passkeyEndpoints.registerResult, { body: { result, label: 'Laptop' } }),
      remove(ada, passkey._id),
    ]
    await untilWaiting(calls.length)
    await trx
      .updateTable('session')
      .set({ ended_at: sql<Date>`now()` })
      .where('person_id', '=', ada.personId)
      .execute()
    return { calls }
  })
  for (const answer of await Promise.all(pending.calls)) expect(answer).toFailWith('UNAUTHENTICATED')
  const rows = await db.selectFrom('passkey').select('id').where('person_id', '=', ada.personId).execute()
  expect(rows).toEqual([{ id: passkey._id }])
})

test('RULE-19 added and deleted passkeys are reported to all verified addresses', async () => {
  const ada = await given.person()
  const addresses = [
    { email: 'second@example.org', verified_at: sql<Date>`now()` },
    { email: 'unverified@example.org', verified_at: null },
  ]
  await db
    .insertInto('email')
    .values(
      addresses.map((address) => ({
        id: uuidv7(),
        person_id: ada.personId,
        email_key: address.email,
        ...address,
      })),
    )
    .execute()
  const passkey = await registerPasskey(ada, authenticatorWith(), 'Ada’s key')
  await remove(ada, passkey._id)
  for (const subject of [/Passkey added/, /Passkey deleted/]) {
    for (const address of [ada.email, 'second@example.org']) {
      const mail = await mailbox.take(address, subject)
      expect(mail.text).toContain('"Ada’s key"')
    }
  }
  expect(mailbox.received.filter(({ to }) => to === 'unverified@example.org')).toEqual([])
})

test('RULE-78 added and deleted passkeys are audited with their label', async () => {
  const ada = await given.person()
  const passkey = await registerPasskey(ada, authenticatorWith(), 'Ada’s key')
  await remove(ada, passkey._id)
  for (const event of ['passkey.added', 'passkey.removed']) {
    expect(await auditOf(ada.personId, event)).toEqual([
      {
        result: 'success',
        actor_id: ada.personId,
        target: ada.personId,
        address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
        detail: { about: 'Ada’s key' },
      },
    ])
  }
})

test('RULE-78 failed changes are neither audited nor mailed', async () => {
  const ada = await given.person()
  const passkey = await registerPasskey(ada, authenticatorWith())
  await withoutPassword(ada)
  expect(await remove(ada, passkey._id)).toFailWith('LAST_LOGIN_METHOD')
  expect(await auditOf(ada.personId, 'passkey.removed')).toEqual([])
})

test('RULE-76 a malformed result is rejected as invalid or not accepted, and never causes a fault', async () => {
  const ada = await given.person()
  const right = authenticatorWith().register(await start(ada))
  const base64url = (text: string | Uint8Array) => Buffer.from(text).toString('base64url')
  const clientData = base64url(
    JSON.stringify({ type: 'webauthn.create', challenge: 'x', origin: server.url }),
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.json().map(base64url),
    fc.uint8Array({ maxLength: 80 }).map(base64url),
    fc.constantFrom('', 'A', clientData, base64url('null'), base64url('[]'), base64url('{"challenge":1}')),
  )
  const response = fc.record(
    { clientDataJSON: text, attestationObject: text, transports: fc.array(text, { maxLength: 3 }) },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(response, fc.boolean(), async (parts, isWhole) => {
      const fresh = authenticatorWith().register(await start(ada))
      // A valid result with unusual transports is accepted.
      const { transports: _, ...other } = parts
      const result = {
        ...right,
        response: isWhole ? { ...fresh.response, attestationObject: 'AA', ...other } : parts,
      }
      const answer = await ada.call(passkeyEndpoints.registerResult, { body: { result, label: 'Odd' } })
      expect(answer.status).toBe(400)
      expect(['PASSKEY_NOT_ACCEPTED', 'VALIDATION_FAILED']).toContain(answer.code)
    }),
    { numRuns: 60 },
  )
})

test('RULE-76 an excessively nested structure is not accepted', async () => {
  const ada = await given.person()
  const fresh = authenticatorWith().register(await start(ada))
  const nested = Buffer.alloc(24_000, 0x81)
  const result = {
    ...fresh,
    response: { ...fresh.response, attestationObject: nested.toString('base64url') },
  }
  expect(await ada.call(passkeyEndpoints.registerResult, { body: { result, label: 'Deep' } })).toFailWith(
    'PASSKEY_NOT_ACCEPTED',
  )
})

test('API-12 common authenticators are named by their AAGUID', async () => {
  const ada = await given.person()
  const kinds = {
    'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
    '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
    '2fc0579f-8113-47ea-b116-bb5a8db9202a': 'YubiKey 5 Series with NFC',
    'deadbeef-0000-4000-8000-000000000000': null,
  }
  for (const [aaguid, name] of Object.entries(kinds)) {
    expect((await registerPasskey(ada, authenticatorWith(aaguid))).authenticator).toBe(name)
  }
})
