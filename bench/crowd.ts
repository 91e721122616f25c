import { sql } from 'kysely'
import { type OpenDatabase, openDatabase } from '../apps/server/src/platform/database/database.ts'
import type { EmbeddedConnection } from '../apps/server/src/platform/database/embedded/connection.ts'
import { hashToken, newToken } from '../apps/server/src/platform/secrets.ts'
import { newName } from './people.ts'

/** A user with an open session. */
export interface CrowdMember {
  personId: string
  token: string
}

/** Opens the product's database so that a section can insert its data. Queries have no timeout. */
export async function withDatabase<Result>(
  connection: EmbeddedConnection,
  work: (db: OpenDatabase['db']) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

/** Inserts signed-in users directly into the database, because so many sign-ins would take minutes. */
export async function addCrowd(db: OpenDatabase['db'], size: number): Promise<CrowdMember[]> {
  const tokens = Array.from({ length: size }, newToken)
  const emails = Array.from({ length: size }, newName)
  const { rows } = await sql<CrowdMember>`
    with given as (
      select uuidv7() as person_id, uuidv7() as session_id, token, token_hash, email
      from unnest(${tokens}::text[], ${tokens.map(hashToken)}::bytea[], ${emails}::text[])
        as each (token, token_hash, email)
    ), people as (
      insert into person (id, firstname, lastname) select person_id, 'Bench', 'Person' from given
    ), addresses as (
      insert into email (id, person_id, email, email_key, is_default, verified_at)
      select uuidv7(), person_id, email, email, true, now() from given
    ), sessions as (
      insert into session (id, person_id, expires_at, user_agent, address)
      select session_id, person_id, now() + interval '1 day', 'bench', '127.0.0.1' from given
    ), used as (
      insert into session_token (token_hash, session_id, first_used_at) select token_hash, session_id, now() from given
    )
    select person_id as "personId", token from given`.execute(db)
  await sql`analyze person, email, session, session_token`.execute(db)
  return rows
}

/** Creates an organisation of all given users. The first is its owner. */
export async function addOrganisation(
  db: OpenDatabase['db'],
  members: readonly CrowdMember[],
): Promise<string> {
  const ids = members.map(({ personId }) => personId)
  const { rows } = await sql<{ id: string }>`
    with added as (
      insert into organisation (id, label, owner_id) values (uuidv7(), 'Bench', ${ids[0]}) returning id
    ), members as (
      insert into membership (organisation_id, person_id) select added.id, person_id from added, unnest(${ids}::uuid[]) person_id
    )
    select id from added`.execute(db)
  await sql`analyze organisation, membership`.execute(db)
  return rows[0]?.id ?? ''
}
