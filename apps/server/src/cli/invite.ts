import { parseArgs } from 'node:util'
import { createJobs } from '#platform/jobs/jobs.ts'
import { createMailer } from '#platform/mail/mailer.ts'
import { pult } from '#platform/program-name.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { ensureSecret } from '../installation/secret.ts'
import { createInvitationService } from '../invitations/invitation.service.ts'
import { isEmailAddress } from '../people/email-address.ts'
import { createLinkIssuer } from '../token-links/issue-link.ts'
import type { Command } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'

const help = `Invites somebody: mails a link for an account and prints it on a line of its own.

  ${pult('invite --email ADDRESS [--root]')}

  --email ADDRESS  who is invited; the account gets this address
  --root           the account may administer everything

The link works for 7 days and once. A newer invitation of the same address ends an older one.
Somebody who has an account already accepts by signing in with it.`

async function invite(
  { config, dataFolder, connection, database, log, update }: Installation,
  invited: { email: string; isRoot: boolean },
) {
  const { db } = database
  await update()
  const secrets = await ensureSecret({ db, secret: config.secret, dataFolder })
  const jobs = createJobs({ connection, log, isWorker: false })
  const deliver = () => Promise.reject(new Error('the server delivers mail'))
  const mailer = createMailer({ db, secrets, jobs, log, deliver })
  const issueLink = createLinkIssuer(config)
  jobs.start()
  try {
    return await createInvitationService({ db, audit: createAuditService(db), mailer, issueLink }).invite(
      invited,
    )
  } finally {
    await jobs.stop()
  }
}

export const inviteCommand: Command = {
  name: 'invite',
  summary: 'invites somebody, as root or not, and prints the link',
  help,
  read(args) {
    const { values } = parseArgs({
      args,
      options: { email: { type: 'string' }, root: { type: 'boolean', default: false } },
    })
    const { email, root: isRoot } = values
    if (email === undefined) throw new Error('--email is missing')
    if (!isEmailAddress(email)) throw new Error(`${JSON.stringify(email)} is not an e-mail address`)

    return ({ environment, say }) =>
      withInstallation(environment, async (installation) => {
        const { link } = await invite(installation, { email, isRoot })
        say(`${email} is invited${isRoot ? ' as root' : ''}. The link works for 7 days and once:`)
        say(link)
        say('The server mails it as well.')
      })
  },
}
