import { randomBytes } from 'node:crypto'
import type { BodyOf, Endpoint } from '@pult/contract'
import { loginEndpoints } from '@pult/contract'
import { hashRecoveryCode, newRecoveryCodes } from '@pult/server/account/otp/recovery-codes.ts'
import { newSeed } from '@pult/server/account/otp/totp.ts'
import { hashPassword } from '@pult/server/auth/password/password-hash.ts'
import { createOrganisationRepository } from '@pult/server/organisations/organisation.repository.ts'
import { createPeopleRepository } from '@pult/server/people/people.repository.ts'
import type { Database } from '@pult/server/platform/database/schema.ts'
import type { Secrets } from '@pult/server/platform/secrets.ts'
import { createGrantRepository } from '@pult/server/projects/grants/grant.repository.ts'
import { createProjectRepository } from '@pult/server/projects/project.repository.ts'
import { type Kysely, sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { uuidv7 } from 'uuidv7'
import { type CallInput, callEndpoint } from './call.ts'

type Person = { personId: string }

export interface OrganisationInput {
  label?: string
  /** Beside the owner. */
  members?: readonly Person[]
}

export interface ProjectInput {
  label?: string
  org?: { orgId: string }
  products?: readonly string[]
  grants?: readonly { person: Person; productRole: string | null }[]
  consoleColor?: string
}

/** Recognisable wherever it must not appear. */
export const canaryPassword = 'kanarienvogel-Zx81-Nachtigall'

let canaryHash: Promise<string> | undefined

export interface PersonInput {
  firstname?: string
  lastname?: string
  email?: string
  password?: string
  isRoot?: boolean
  /** The account asks for one-time passwords. The session of `token` began before it did. */
  otp?: boolean
}

/** What the owner of an authenticator has. */
export interface GivenOtp {
  /** In base32, as the enrolment shows it. */
  secret: string
  recoveryCodes: string[]
  /** The code of now, or of so many steps of 30 seconds later. Each step's code counts once. */
  code: (stepOffset?: number) => string
}

export interface GivenParts {
  url: string
  db: Kysely<Database>
  secrets: Secrets
  /** Told of every secret that comes into being, so that the logs can be searched for them. */
  onSecret: (secret: string) => void
}

/** Makes what a test starts from, in the database, the quick way; what it tests goes over HTTP. */
export function createGiven({ url, db, secrets, onSecret }: GivenParts) {
  let count = 0

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
      db.updateTable('otp').set({ last_step: step }).where('person_id', '=', personId).execute()
    return {
      otp: { secret, recoveryCodes, code } satisfies GivenOtp,
      /** The code stays unused, so that a test can rely on all that it makes itself. */
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
    canaryHash ??= hashPassword(canaryPassword)
    const personId = await createPeopleRepository(db).add({
      firstname,
      lastname: given.lastname ?? 'Lovelace',
      email,
      isRoot: given.isRoot ?? false,
      passwordHash: password === canaryPassword ? await canaryHash : await hashPassword(password),
    })
    onSecret(password)
    const token = await login(email, password)
    const authenticator = given.otp === true ? await enableOtp(personId) : undefined
    return {
      personId,
      email,
      password,
      token,
      /** There when `otp: true` was asked for. */
      otp: authenticator?.otp as Input extends { otp: true } ? GivenOtp : GivenOtp | undefined,
      /** A call with this person's token. */
      call: <E extends Endpoint>(endpoint: E, callInput?: CallInput<E>) =>
        callEndpoint(url, token, endpoint, callInput),
      /** Another session of the same person; answers its token. */
      login: () => login(email, password, authenticator),
      /** An hour goes by since this person proved who they are, in all sessions. */
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
    /** A person with a verified address, signed in. */
    person,

    /** An organisation with its owner and other members. */
    async organisation(owner: Person, { label = 'Messe Nord', members = [] }: OrganisationInput = {}) {
      const organisations = createOrganisationRepository(db)
      const orgId = await organisations.add(label, owner.personId)
      for (const { personId } of members) await organisations.addMember(orgId, personId)
      return { orgId }
    },

    /** A project, private if it has no organisation. The ids of its grants come in the order in which they were asked for. */
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
        if (grantId === undefined) throw new Error('The person holds this role already')
        grantIds.push(grantId)
      }
      return { projectId, grantIds }
    },
  }
}
export type Given = ReturnType<typeof createGiven>
export type GivenPerson = Awaited<ReturnType<Given['person']>>
