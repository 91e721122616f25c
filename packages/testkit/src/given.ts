import { randomBytes } from 'node:crypto'
import type { BodyOf, Endpoint } from '@pult/contract'
import { loginEndpoints } from '@pult/contract'
import { hashRecoveryCode, newRecoveryCodes } from '@pult/server/account/otp/recovery-codes.ts'
import { newSeed } from '@pult/server/account/otp/totp.ts'
import { hashPassword } from '@pult/server/auth/password/password-hash.ts'
import { createSessionRepository } from '@pult/server/auth/session/session.repository.ts'
import { createOrganisationRepository } from '@pult/server/organisations/organisation.repository.ts'
import { createPeopleRepository } from '@pult/server/people/people.repository.ts'
import type { Database } from '@pult/server/platform/database/schema.ts'
import { hashToken, newToken, type Secrets } from '@pult/server/platform/secrets.ts'
import { createGrantRepository } from '@pult/server/projects/grants/grant.repository.ts'
import { createProjectRepository } from '@pult/server/projects/project.repository.ts'
import { type Kysely, sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { uuidv7 } from 'uuidv7'
import { type CallInput, callEndpoint } from './call.ts'
import { createGivenEdge } from './given-edge.ts'

type Person = { personId: string }

export interface OrganisationInput {
  label?: string
  /** Members in addition to the owner. */
  members?: readonly Person[]
}

export interface ProjectInput {
  label?: string
  org?: { orgId: string }
  products?: readonly string[]
  grants?: readonly { person: Person; productRole: string | null }[]
  consoleColor?: string
}

/** A password that is recognisable in logs. */
export const canaryPassword = 'kanarienvogel-Zx81-Nachtigall'

/** Hashing one password costs about 40 ms of a core, so equal passwords share a hash. */
const hashes = new Map<string, Promise<string>>()
function hashOf(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, known)
  return known
}

export interface PersonInput {
  firstname?: string
  lastname?: string
  email?: string
  password?: string
  isRoot?: boolean
  /** Enables one-time passwords after the start of the session of `token`. */
  otp?: boolean
}

/** The authenticator and recovery codes of a person. */
export interface GivenOtp {
  /** Secret in base32, as the enrolment shows it. */
  secret: string
  recoveryCodes: string[]
  /** Returns the current code, or the code `stepOffset` steps (30 s each) later. The server accepts each step once. */
  code: (stepOffset?: number) => string
}

export interface GivenParts {
  url: string
  db: Kysely<Database>
  secrets: Secrets
  /** Receives each new secret, so that the logs can be searched for it. */
  onSecret: (secret: string) => void
}

/** Creates initial records of a test directly in the database. The tested calls use HTTP. */
export function createGiven({ url, db, secrets, onSecret }: GivenParts) {
  let count = 0

  /** Opens a session in the database, as a sign-in from this process would, without hashing a password. */
  async function openSession(personId: string): Promise<string> {
    const token = newToken()
    onSecret(token)
    const origin = { personId, userAgent: 'node', address: '127.0.0.1' }
    await createSessionRepository(db).add(origin, hashToken(token))
    return token
  }

  async function enter(body: BodyOf<typeof loginEndpoints.login>) {
    const answer = await callEndpoint(url, undefined, loginEndpoints.login, { body })
    if (answer.code !== undefined) throw new Error(`The person could not sign in: ${answer.code}`)
    return answer.body
  }

  async function login(username: string, password: string, authenticator?: Authenticator): Promise<string> {
    const { token, voucher } = await enter({ type: 'credentials', data: { username, password } })
    const signedIn = token ?? (await authenticator?.enterCode(voucher ?? ''))
    if (signedIn === undefined) throw new Error(`${username} needs a second factor`)
    onSecret(signedIn)
    return signedIn
  }

  async function enableOtp(personId: string) {
    const secret = newSeed()
    const recoveryCodes = newRecoveryCodes()
    for (const value of [secret, ...recoveryCodes]) onSecret(value)
    await db
      .insertInto('otp')
      .values({ person_id: personId, seed: secrets.seal('otp', secret), enabled_at: sql<Date>`now()` })
      .execute()
    await db
      .insertInto('recovery_code')
      .values(
        recoveryCodes.map((code) => {
          const salt = randomBytes(16)
          const hash = hashRecoveryCode(salt, code)
          return { id: uuidv7(), person_id: personId, salt, hash, is_pending: false }
        }),
      )
      .execute()

    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = (stepOffset = 0) =>
      totp.generate({ timestamp: Date.now() + stepOffset * totp.period * 1000 })
    const setLastStep = (step: number | null) =>
      db
        .updateTable('otp')
        .set({ last_step: step, used_steps: [] })
        .where('person_id', '=', personId)
        .execute()
    return {
      otp: { secret, recoveryCodes, code } satisfies GivenOtp,
      /** Signs in with the current code, then marks the code as unused, so that a test can use every code. */
      async enterCode(voucher: string): Promise<string | undefined> {
        const { last_step } = await db
          .selectFrom('otp')
          .select('last_step')
          .where('person_id', '=', personId)
          .executeTakeFirstOrThrow()
        await setLastStep(null)
        const { token } = await enter({ type: 'otp', data: { voucher, otp: code() } })
        await setLastStep(last_step)
        return token
      },
    }
  }
  type Authenticator = Awaited<ReturnType<typeof enableOtp>>

  async function person<Input extends PersonInput>(input?: Input) {
    const given: PersonInput = input ?? {}
    count += 1
    const firstname = given.firstname ?? 'Ada'
    const email = given.email ?? `${firstname.toLowerCase()}${count}@example.org`
    const password = given.password ?? canaryPassword
    const personId = await createPeopleRepository(db).add({
      firstname,
      lastname: given.lastname ?? 'Lovelace',
      email,
      isRoot: given.isRoot ?? false,
      passwordHash: await hashOf(password),
    })
    onSecret(password)
    const token = await openSession(personId)
    const authenticator = given.otp === true ? await enableOtp(personId) : undefined
    return {
      personId,
      email,
      password,
      token,
      /** Set if the input has `otp: true`. */
      otp: authenticator?.otp as Input extends { otp: true } ? GivenOtp : GivenOtp | undefined,
      /** Makes a call with this person's token. */
      call: <E extends Endpoint>(endpoint: E, callInput?: CallInput<E>) =>
        callEndpoint(url, token, endpoint, callInput),
      /** Signs in over HTTP with the password and the second factor, for tests of the sign-in. */
      login: () => login(email, password, authenticator),
      /** Opens another session of the same person and returns its token. */
      openSession: () => openSession(personId),
      /** Sets the last authentication of all sessions back by an hour. */
      forgetSignIn: async () => {
        await db
          .updateTable('session')
          .set({ authenticated_at: sql<Date>`now() - interval '1 hour'` })
          .where('person_id', '=', personId)
          .execute()
      },
    }
  }

  return {
    /** Creates a person with a verified address and an open session. */
    person,

    /** Creates an organisation with its owner and other members. */
    async organisation(owner: Person, { label = 'Messe Nord', members = [] }: OrganisationInput = {}) {
      const organisations = createOrganisationRepository(db)
      const orgId = await organisations.add(label, owner.personId)
      for (const { personId } of members) await organisations.addMember(orgId, personId)
      return { orgId }
    },

    /** Creates a project, private without an organisation. `grantIds` has the order of `grants`. */
    async project(owner: Person, input: ProjectInput = {}) {
      const projects = createProjectRepository(db)
      const projectId = await projects.add({
        label: input.label ?? 'Messe 2026',
        org: input.org?.orgId ?? null,
        ownerId: owner.personId,
        products: input.products ?? ['project'],
      })
      if (input.consoleColor !== undefined) {
        const config = JSON.stringify({ consoleColor: input.consoleColor })
        await db.updateTable('project').set({ config }).where('id', '=', projectId).execute()
      }
      const grantIds: string[] = []
      for (const { person: holder, productRole } of input.grants ?? []) {
        const grantId = await createGrantRepository(db).add(projectId, holder.personId, productRole)
        if (grantId === undefined) throw new Error('The person already holds this role')
        grantIds.push(grantId)
      }
      return { projectId, grantIds }
    },

    /** Creates an edge as its agent leaves it, without an event. Returns its id. */
    edge: createGivenEdge(db),
  }
}
type Given = ReturnType<typeof createGiven>
export type GivenPerson = Awaited<ReturnType<Given['person']>>
