import type { Endpoint } from '@pult/contract'
import { loginEndpoints } from '@pult/contract'
import { hashPassword } from '@pult/server/auth/password/password-hash.ts'
import { createPeopleRepository } from '@pult/server/people/people.repository.ts'
import type { OpenDatabase } from '@pult/server/platform/database/database.ts'
import { uuidv7 } from 'uuidv7'
import { type CallInput, callEndpoint } from './call.ts'

/** Recognisable wherever it must not appear. */
export const canaryPassword = 'kanarienvogel-Zx81-Nachtigall'

let canaryHash: Promise<string> | undefined

export interface PersonInput {
  firstname?: string
  lastname?: string
  email?: string
  password?: string
  isRoot?: boolean
}

export interface GivenParts {
  url: string
  database: OpenDatabase
  /** Told of every secret that comes into being, so that the logs can be searched for them. */
  onSecret: (secret: string) => void
}

/** Makes what a test starts from, in the database, the quick way; what it tests goes over HTTP. */
export function createGiven({ url, database, onSecret }: GivenParts) {
  const { db } = database
  let count = 0

  async function login(username: string, password: string): Promise<string> {
    const { body, code } = await callEndpoint(url, undefined, loginEndpoints.login, {
      body: { type: 'credentials', data: { username, password } },
    })
    if (code !== undefined) throw new Error(`${username} could not sign in: ${code}`)
    if (body.token === undefined) throw new Error(`${username} needs a second factor`)
    onSecret(body.token)
    return body.token
  }

  return {
    /** A person with a verified address, signed in. */
    async person(input: PersonInput = {}) {
      count += 1
      const firstname = input.firstname ?? 'Ada'
      const email = input.email ?? `${firstname.toLowerCase()}${count}@example.org`
      const password = input.password ?? canaryPassword
      canaryHash ??= hashPassword(canaryPassword)
      const personId = await createPeopleRepository(db).add({
        firstname,
        lastname: input.lastname ?? 'Lovelace',
        email,
        isRoot: input.isRoot ?? false,
        passwordHash: password === canaryPassword ? await canaryHash : await hashPassword(password),
      })
      onSecret(password)
      const token = await login(email, password)
      return {
        personId,
        email,
        password,
        token,
        /** A call with this person's token. */
        call: <E extends Endpoint>(endpoint: E, callInput?: CallInput<E>) =>
          callEndpoint(url, token, endpoint, callInput),
        /** Another session of the same person; answers its token. */
        login: () => login(email, password),
      }
    },

    async project(owner: { personId: string }, input: { label?: string; consoleColor?: string } = {}) {
      const id = uuidv7()
      await db
        .insertInto('project')
        .values({
          id,
          label: input.label ?? 'Messe 2026',
          organisation_id: null,
          owner_id: owner.personId,
          config: JSON.stringify(
            input.consoleColor === undefined ? {} : { consoleColor: input.consoleColor },
          ),
        })
        .execute()
      return { projectId: id }
    },
  }
}
export type Given = ReturnType<typeof createGiven>
export type GivenPerson = Awaited<ReturnType<Given['person']>>
