import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { hashPassword } from '../../apps/server/src/auth/password/password-hash.ts'
import { emailKey } from '../../apps/server/src/people/email-address.ts'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'
import type { Database } from '../../apps/server/src/platform/database/schema.ts'
import type { Secrets } from '../../apps/server/src/platform/secrets.ts'
import { demoNames, demoPeople } from './demo-people.ts'
import { createDemoRecords } from './demo-records.ts'
import { demoOrganisations, tellDemoStory } from './demo-story.ts'
import { orderTrialRun, renewTrialRun } from './trial-run.ts'

interface DemoAccess {
  /** What everybody signs in with from now on. */
  password: string
  /** Of the installation, for the second factors. */
  secrets: Secrets
}

/** Somebody who can be signed in as. */
export interface DemoAccount {
  email: string
  who: string
  /** What an authenticator has to know, where the account asks for one-time passwords. */
  otpSecret?: string
}

/**
 * Fills an installation with people, organisations and projects, once, and gives the people the password of this start.
 * Answers who is who, of those that are still there.
 */
export async function giveDemoData(
  db: OpenDatabase['db'],
  { password, secrets }: DemoAccess,
): Promise<DemoAccount[]> {
  const passwordHash = await hashPassword(password)
  await renewTrialRun(db)
  return db.transaction().execute(async (trx) => {
    if (!(await isTold(trx))) {
      const records = createDemoRecords(trx, { today: await today(trx), passwordHash, secrets })
      const { shorePower } = await tellDemoStory(records)
      await records.finish()
      await orderTrialRun(trx, { projectId: shorePower, createdBy: records.idOf('henrik') })
    }
    const accounts: DemoAccount[] = []
    for (const name of demoNames) {
      const account = await setPassword(trx, demoPeople[name], { passwordHash, secrets })
      if (account !== undefined) accounts.push(account)
    }
    return accounts
  })
}

/** Asked of the audit log, which nobody changes: what was renamed or deleted since does not come again. */
async function isTold(trx: Transaction<Database>): Promise<boolean> {
  const row = await trx
    .selectFrom('audit')
    .select('id')
    .where('event', '=', 'organisation.created')
    .where(sql<boolean>`detail ->> 'label' = ${demoOrganisations.nordkai}`)
    .executeTakeFirst()
  return row !== undefined
}

/** The first moment of the database's day, in UTC. */
async function today(trx: Transaction<Database>): Promise<Date> {
  const { rows } = await sql<{ today: Date }>`
    select date_trunc('day', now(), 'UTC') as today`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('The database answered no time')
  return row.today
}

async function setPassword(
  trx: Transaction<Database>,
  { email, who }: { email: string; who: string },
  { passwordHash, secrets }: { passwordHash: string; secrets: Secrets },
): Promise<DemoAccount | undefined> {
  const account = await trx
    .selectFrom('email')
    .leftJoin('otp', 'otp.person_id', 'email.person_id')
    .select(['email.person_id', 'otp.seed'])
    .where('email_key', '=', emailKey(email))
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  if (account === undefined) return undefined
  await trx
    .updateTable('person')
    .set({ password_hash: passwordHash })
    .where('id', '=', account.person_id)
    .execute()
  return { email, who, ...(account.seed !== null && { otpSecret: secrets.open('otp', account.seed) }) }
}
