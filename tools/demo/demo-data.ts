import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import { hashPassword } from '../../apps/server/src/auth/password/password-hash.ts'
import { emailKey } from '../../apps/server/src/people/email-address.ts'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'
import type { Database } from '../../apps/server/src/platform/database/schema.ts'
import type { Secrets } from '../../apps/server/src/platform/secrets.ts'
import { demoNames, demoPeople } from './demo-people.ts'
import { createDemoRecords } from './demo-records.ts'
import { addDemoStory, demoOrganisations } from './demo-story.ts'
import { orderTrialRun, renewTrialRun } from './trial-run.ts'

interface DemoAccess {
  /** The password of all accounts for this start. */
  password: string
  /** The installation's secrets, for the second factors. */
  secrets: Secrets
}

/** An account that can sign in. */
export interface DemoAccount {
  email: string
  who: string
  /** The authenticator's secret, for an account with one-time passwords. */
  otpSecret?: string
}

/**
 * Adds users, organisations and projects to an installation, once, and sets the password of this start. Returns the
 * accounts that still exist.
 */
export async function addDemoData(
  db: OpenDatabase['db'],
  { password, secrets }: DemoAccess,
): Promise<DemoAccount[]> {
  const passwordHash = await hashPassword(password)
  await renewTrialRun(db)
  return db.transaction().execute(async (trx) => {
    if (!(await hasDemoStory(trx))) {
      const records = createDemoRecords(trx, { today: await today(trx), passwordHash, secrets })
      const { shorePower } = await addDemoStory(records)
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

/**
 * Returns whether the demo has been added, from the append-only audit log, because records can be renamed or deleted.
 */
async function hasDemoStory(trx: Transaction<Database>): Promise<boolean> {
  const row = await trx
    .selectFrom('audit')
    .select('id')
    .where('event', '=', 'organisation.created')
    .where(sql<boolean>`detail ->> 'label' = ${demoOrganisations.nordkai}`)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the start of the database's current day, in UTC. */
async function today(trx: Transaction<Database>): Promise<Date> {
  const { rows } = await sql<{ today: Date }>`
    select date_trunc('day', now(), 'UTC') as today`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('The database returned no time')
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
