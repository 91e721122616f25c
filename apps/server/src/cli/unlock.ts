import { parseArgs } from 'node:util'
import { pult } from '#platform/program-name.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { unlock } from '../auth/unlock.ts'
import { isEmailAddress } from '../people/email-address.ts'
import { createPeopleService } from '../people/people.service.ts'
import type { Command } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'

const help = `Lets somebody try again who was locked out by wrong passwords or one-time passwords.

  ${pult('unlock EMAIL')}

  EMAIL  a verified address of the account

Forgets the failures of both, and with them the waits. The password and the second factor stay as they are.`

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
