import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import type { Deliver, MailLanguage, OutgoingMail } from './mail.ts'
import { createOutboxRepository } from './outbox.repository.ts'

interface MailerParts {
  db: Kysely<Database>
  secrets: Secrets
  jobs: Jobs
  log: Log
  deliver: Deliver
  /** The one language of the person whose confirmed address it is; null when it is not known. */
  languageOf?: ((address: string) => Promise<MailLanguage | null>) | undefined
  /** Shows each mail that left, for developers. */
  print?: ((mail: OutgoingMail) => void) | undefined
}

/** Below the time of a claim, which is below the time of a job. */
const deliveryTimeout = 20_000

const jobName = 'mail'
const purpose = 'mail'

interface DeliveryFault {
  code: string | undefined
  responseCode: number | undefined
  /** The server was reached and would not take this mail. */
  isRefused: boolean
}

/** Mail is written in the caller's transaction and leaves by a job, so that no call ever waits for a mail server. */
export function createMailer({ db, secrets, jobs, log, deliver, languageOf, print }: MailerParts) {
  const outbox = createOutboxRepository(db)
  let isFailing = false

  async function send({ mailId }: { mailId: string }): Promise<'done' | 'again'> {
    const claimed = await outbox.claim(mailId)
    if (claimed === undefined) return (await outbox.isOpen(mailId)) ? 'again' : 'done'
    let mail: OutgoingMail
    try {
      mail = await inOneLanguage(JSON.parse(secrets.open(purpose, claimed.content)) as OutgoingMail)
      await withinTime(deliver({ id: mailId, writtenAt: claimed.createdAt, mail }))
    } catch (error) {
      return failed(mailId, error)
    }
    await outbox.markSent(mailId)
    if (isFailing) log.info('mail leaves again')
    isFailing = false
    print?.(mail)
    return 'done'
  }

  /** Chosen when it leaves: no call takes longer for an address that belongs to somebody. */
  async function inOneLanguage({ inLanguage = {}, ...mail }: OutgoingMail): Promise<OutgoingMail> {
    const language = (await languageOf?.(mail.to)) ?? null
    return { ...mail, ...(language !== null && inLanguage[language]) }
  }

  async function failed(mailId: string, error: unknown): Promise<'done' | 'again'> {
    const { code, responseCode, isRefused } = faultOf(error)
    const text = [code, responseCode].filter((part) => part !== undefined).join(' ')
    const { isGivenUp } = await outbox.markFailed(mailId, { error: text, isRefused })
    // What the server said may quote an address, so it is not written.
    if (isGivenUp) log.error({ mail: mailId, code, responseCode }, 'a mail was given up after three days')
    else if (isRefused) log.warn({ mail: mailId, code, responseCode }, 'the mail server refused a mail')
    else if (!isFailing) {
      log.warn({ mail: mailId, code, responseCode }, 'mail cannot leave; it is kept and tried again')
      isFailing = true
    }
    return isGivenUp ? 'done' : 'again'
  }

  jobs.define(jobName, send, {
    retryDelay: 15,
    // More than three days have room for; the outbox decides when a mail is given up.
    retryLimit: 50_000,
    longest: 30,
    pollInterval: 2,
    parallel: 5,
  })

  return {
    /** The mail leaves if and when the transaction commits. */
    async enqueue(trx: Transaction<Database>, mail: OutgoingMail): Promise<void> {
      const content = secrets.seal(purpose, JSON.stringify(mail))
      const mailId = await createOutboxRepository(trx).add(content)
      await jobs.send(trx, jobName, { mailId }, mailId)
    },
  }
}
export type Mailer = ReturnType<typeof createMailer>

async function withinTime(delivered: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the delivery took too long')), deliveryTimeout)
  try {
    await Promise.race([delivered, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function faultOf(error: unknown): DeliveryFault {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown }
  const known = typeof code === 'string' ? code : undefined
  return {
    code: known ?? (error instanceof Error ? error.name : undefined),
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
    isRefused: known === 'EENVELOPE' || known === 'EMESSAGE',
  }
}
