import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { emailKey } from './email-address.ts'

export interface NewPerson {
  firstname: string
  lastname: string
  passwordHash: string
  isRoot: boolean
  /** The default address. */
  email: string
  /** False if no proof exists that the address is the person's. Default true. */
  isVerified?: boolean
}

export function createPeopleRepository(db: Db) {
  const withEmail = (email: string) =>
    db
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

  return {
    /** Finds the account of a verified address. */
    async findByVerifiedEmail(email: string) {
      return withEmail(email).where('email.verified_at', 'is not', null).executeTakeFirst()
    },

    /**
     * Finds the account that signs in with this address: the account that has verified it, or else the account with
     * this default address that is not yet verified.
     */
    async findByUsername(email: string) {
      return withEmail(email)
        .where(sql<boolean>`(email.verified_at is not null or email.is_default)`)
        .orderBy(sql`email.verified_at is null`)
        .limit(1)
        .executeTakeFirst()
    },

    /** Verifies an address of the person. Returns whether it was unverified until now. */
    async verifyEmail(personId: string, email: string): Promise<boolean> {
      const row = await db
        .updateTable('email')
        .set({ verified_at: sql<Date>`now()` })
        .where('person_id', '=', personId)
        .where('email_key', '=', emailKey(email))
        .where('verified_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
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
          verified_at: person.isVerified === false ? null : sql<Date>`now()`,
        })
        .execute()
      return id
    },

    /** Returns the sign-in data of a person by id. */
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

    /** Returns all addresses, verified or not. */
    async emailsOf(personId: string): Promise<string[]> {
      const rows = await db.selectFrom('email').select('email').where('person_id', '=', personId).execute()
      return rows.map(({ email }) => email)
    },

    /** Returns the verified addresses, default first. */
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

    /** Serialises changes to the sign-in of one person. */
    async lock(personId: string): Promise<void> {
      await db.selectFrom('person').select('id').where('id', '=', personId).forUpdate().execute()
    },

    /** Stores a new password. */
    async setPassword(personId: string, passwordHash: string): Promise<void> {
      await db
        .updateTable('person')
        .set((eb) => ({ password_hash: passwordHash, password_version: eb('password_version', '+', 1) }))
        .where('id', '=', personId)
        .execute()
    },

    /** Replaces a password hash unless it has changed since it was read. */
    async replacePasswordHash(personId: string, oldHash: string, newHash: string): Promise<void> {
      await db
        .updateTable('person')
        .set({ password_hash: newHash })
        .where('id', '=', personId)
        .where('password_hash', '=', oldHash)
        .execute()
    },

    /**
     * Locks the password until the transaction ends. Returns whether it is still current and the account is enabled.
     */
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
