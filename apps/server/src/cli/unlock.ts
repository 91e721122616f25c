import { parseArgs } from 'node:util'
import { migrateToLatest } from '#platform/database/migrate.ts'
import { migrations } from '../../migrations/index.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { unlock } from '../auth/unlock.ts'
import { isEmailAddress } from '../people/email-address.ts'
import { createPeopleService } from '../people/people.service.ts'
import type { Command } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'

const help = `Lets somebody try again who was locked out by wrong passwords or one-time passwords.

  npm run pult -- unlock EMAIL

  EMAIL  a verified address of the account

Forgets the failures of both, and with them the waits. The password and the second factor stay as they are.`

/** Answers whether there is such an account. */
async function unlockOwner({ database: { db } }: Installation, email: string): Promise<boolean> {
  await migrateToLatest(db, migrations)
  const person = await createPeopleService(db).findByVerifiedEmail(email)
  if (person === undefined) return false
  await db.transaction().execute((trx) => unlock(trx, createAuditService(db), { personId: person.id }))
  return true
}

export const unlockCommand: Command = {
  name: 'unlock',
  summary: 'lets somebody try again who was locked out by wrong passwords',
  help,
  read(args) {
    const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
    const [email, ...others] = positionals
    if (email === undefined) throw new Error('the address is missing')
    if (others.length > 0) throw new Error(`one address is enough, ${JSON.stringify(others[0])} is too much`)
    if (!isEmailAddress(email)) throw new Error(`${JSON.stringify(email)} is not an e-mail address`)

    return ({ environment, say }) =>
      withInstallation(environment, async (installation) => {
        if (!(await unlockOwner(installation, email)))
          throw new Error(`nobody has the verified address ${email}`)
        say(`${email} may try again`)
      })
  },
}
