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
      await db.updateTable('person').set({ is_root: true }).where('id', '=', personId).execute()
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
