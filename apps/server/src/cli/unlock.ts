import { parseArgs } from 'node:util'
import { pult } from '#platform/program-name.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { unlock } from '../auth/unlock.ts'
import { isEmailAddress } from '../people/email-address.ts'
import { createPeopleService } from '../people/people.service.ts'
import type { Command } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'

const help = `Unlocks an account that is locked after wrong passwords or one-time passwords.

  ${pult('unlock EMAIL')}

  EMAIL  a verified address of the account

Clears the failures of both, and so the waiting times. The password and the second factor do not change.`

/** Returns whether the account exists. */
async function unlockOwner({ database: { db }, update }: Installation, email: string): Promise<boolean> {
  await update()
  const person = await createPeopleService(db).findByUsername(email)
  if (person === undefined) return false
  await db.transaction().execute((trx) => unlock(trx, createAuditService(db), { personId: person.id }))
  return true
}

export const unlockCommand: Command = {
  name: 'unlock',
  summary: 'unlocks an account that is locked after wrong passwords',
  help,
  read(args) {
    const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
    const [email, ...others] = positionals
    if (email === undefined) throw new Error('the address is missing')
    if (others.length > 0) throw new Error(`unexpected argument ${JSON.stringify(others[0])}`)
    if (!isEmailAddress(email)) throw new Error(`${JSON.stringify(email)} is not an e-mail address`)

    return ({ environment, print }) =>
      withInstallation(environment, async (installation) => {
        if (!(await unlockOwner(installation, email)))
          throw new Error(`no account has the verified address ${email}`)
        print(`${email} may try again`)
      })
  },
}
