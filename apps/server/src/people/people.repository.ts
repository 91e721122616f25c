import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { emailKey } from './email-address.ts'

export interface NewPerson {
  firstname: string
  lastname: string
  passwordHash: string
  isRoot: boolean
  /** Becomes the verified default address. */
  email: string
}

export function createPeopleRepository(db: Db) {
  return {
    /** Whose verified address this is. */
    async findByVerifiedEmail(email: string) {
      return db
        .selectFrom('email')
        .innerJoin('person', 'person.id', 'email.person_id')
        .select([
          'person.id',
          'person.firstname',
          'person.lastname',
          'person.password_hash',
          'person.password_version',
          'person.is_root',
          'person.disabled_at',
        ])
        .where('email.email_key', '=', emailKey(email))
        .where('email.verified_at', 'is not', null)
        .executeTakeFirst()
    },

    async add(person: NewPerson): Promise<string> {
      const id = uuidv7()
      await db
        .insertInto('person')
        .values({
          id,
          firstname: person.firstname,
          lastname: person.lastname,
          password_hash: person.passwordHash,
          is_root: person.isRoot,
        })
        .execute()
      await db
        .insertInto('email')
        .values({
          id: uuidv7(),
          person_id: id,
          email: person.email,
          email_key: emailKey(person.email),
          is_default: true,
          verified_at: sql<Date>`now()`,
        })
        .execute()
      return id
    },

    /** What signs a person in, by id. */
    async findById(personId: string) {
      return db
        .selectFrom('person')
        .innerJoin('email', (join) =>
          join.onRef('email.person_id', '=', 'person.id').on('email.is_default', '=', true),
        )
        .select([
          'person.id',
          'person.firstname',
          'person.lastname',
          'person.password_hash',
          'person.password_version',
          'person.is_root',
          'person.disabled_at',
          'email.email',
        ])
        .where('person.id', '=', personId)
        .executeTakeFirst()
    },

    /** All addresses, for the policy that keeps a person's own words out of the password. */
    async emailsOf(personId: string): Promise<string[]> {
      const rows = await db.selectFrom('email').select('email').where('person_id', '=', personId).execute()
      return rows.map(({ email }) => email)
    },

    /** The addresses that are known to be the person's, the default first. */
    async verifiedEmailsOf(personId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('email')
        .select('email')
        .where('person_id', '=', personId)
        .where('verified_at', 'is not', null)
        .orderBy('is_default', 'desc')
        .orderBy('created_at')
        .execute()
      return rows.map(({ email }) => email)
    },

    /** Changes of how one person signs in come one after the other. */
    async lock(personId: string): Promise<void> {
      await db.selectFrom('person').select('id').where('id', '=', personId).forUpdate().execute()
    },

    /** A password that the person chose anew. */
    async setPassword(personId: string, passwordHash: string): Promise<void> {
      await db
        .updateTable('person')
        .set((eb) => ({ password_hash: passwordHash, password_version: eb('password_version', '+', 1) }))
        .where('id', '=', personId)
        .execute()
    },

    /** Keeps a newer password that was set since the old hash was read. */
    async replacePasswordHash(personId: string, oldHash: string, newHash: string): Promise<void> {
      await db
        .updateTable('person')
        .set({ password_hash: newHash })
        .where('id', '=', personId)
        .where('password_hash', '=', oldHash)
        .execute()
    },

    /** Whether this is still the password of somebody who may sign in; it stays so until the transaction ends. */
    async holdPassword(personId: string, passwordHash: string): Promise<boolean> {
      const row = await db
        .selectFrom('person')
        .select('id')
        .where('id', '=', personId)
        .where('password_hash', '=', passwordHash)
        .where('disabled_at', 'is', null)
        .forShare()
        .executeTakeFirst()
      return row !== undefined
    },

    async makeRoot(personId: string): Promise<void> {
      await db
        .updateTable('person')
        .set((eb) => ({
          is_root: true,
          revision: eb('revision', '+', 1),
          updated_at: sql<Date>`clock_timestamp()`,
          updated_by: null,
        }))
        .where('id', '=', personId)
        .where('is_root', '=', false)
        .execute()
    },

    async hasRoot(): Promise<boolean> {
      const root = await db
        .selectFrom('person')
        .select('id')
        .where('is_root', '=', true)
        .where('disabled_at', 'is', null)
        .limit(1)
        .executeTakeFirst()
      return root !== undefined
    },
  }
}
export type PeopleRepository = ReturnType<typeof createPeopleRepository>
