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
import { type Installation, withNewInstallation } from './installation.ts'

const help = `Invites a person: mails a link that creates an account, and prints it on a separate line.

  ${pult('invite --email ADDRESS [--root]')}

  --email ADDRESS  the address of the person and of the account
  --root           makes the account a root, which administers the installation

The link works once and for 7 days. A new invitation to the same address replaces an older one.
A person who already has an account accepts by signing in.`

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
  void jobs.start()
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
  summary: 'invites a person, as root or not, and prints the link',
  help,
  read(args) {
    const { values } = parseArgs({
      args,
      options: { email: { type: 'string' }, root: { type: 'boolean', default: false } },
    })
    const { email, root: isRoot } = values
    if (email === undefined) throw new Error('--email is missing')
    if (!isEmailAddress(email)) throw new Error(`${JSON.stringify(email)} is not an e-mail address`)

    return ({ environment, print }) =>
      withNewInstallation(environment, async (installation) => {
        const { link } = await invite(installation, { email, isRoot })
        print(`${email} is invited${isRoot ? ' as root' : ''}. The link works once and for 7 days:`)
        print(link)
        print('The server also mails it.')
      })
  },
}
