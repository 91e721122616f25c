import type { Kysely, Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '../app-error.ts'
import type { Database } from '../database/schema.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Language } from '../language.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { whenAnswered } from '../transient.ts'
import type { Deliver, OutgoingMail } from './mail.ts'
import { createOutboxRepository } from './outbox.repository.ts'

interface MailerParts {
  db: Kysely<Database>
  secrets: Secrets
  jobs: Jobs
  log: Log
  deliver: Deliver
  /** The language of a mail. The default language writes it in both languages. */
  languageOf?: ((mail: OutgoingMail) => Promise<Language>) | undefined
  /** Receives each sent mail, for developers. */
  print?: ((mail: OutgoingMail) => void) | undefined
}

/** Milliseconds: less than a claim lasts, and a claim lasts less than a job may take. */
const deliveryTimeout = 20_000

const jobName = 'mail'
const purpose = 'mail'

interface DeliveryFault {
  code: string | undefined
  responseCode: number | undefined
  /** The mail server answered and rejected this mail. */
  isRefused: boolean
  /** It rejected the recipient or the content, and not this sender. */
  isRecipientRefused: boolean
}

/** Mails are written in the caller's transaction and sent by a job, so that no call waits for a mail server. */
export function createMailer({ db, secrets, jobs, log, deliver, languageOf, print }: MailerParts) {
  const outbox = createOutboxRepository(db)
  let isFailing = false

  async function send({ mailId }: { mailId: string }): Promise<'done' | 'again'> {
    const claimed = await outbox.claim(mailId)
    if (claimed === undefined) return (await outbox.isOpen(mailId)) ? 'again' : 'done'
    let mail: OutgoingMail | undefined
    try {
      mail = await inOneLanguage(JSON.parse(secrets.open(purpose, claimed.content)) as OutgoingMail)
      await withinTime(deliver({ id: mailId, writtenAt: claimed.createdAt, mail }))
    } catch (error) {
      return failed(mailId, error, mail)
    }
    // A retry of the job would deliver the mail again.
    await whenAnswered(() => outbox.markSent(mailId))
    if (isFailing) log.info('mail is delivered again')
    isFailing = false
    print?.(mail)
    return 'done'
  }

  /** The language is looked up at delivery, so that a request takes equally long for known and unknown addresses. */
  async function inOneLanguage(mail: OutgoingMail): Promise<OutgoingMail> {
    const { inLanguage = {}, ...whole } = mail
    const language = (await languageOf?.(mail)) ?? 'de'
    if (language === 'de') return whole
    return { ...whole, ...inLanguage[language === 'en' ? 'en' : 'de'] }
  }

  async function failed(
    mailId: string,
    error: unknown,
    mail: OutgoingMail | undefined,
  ): Promise<'done' | 'again'> {
    const { code, responseCode, isRefused, isRecipientRefused } = faultOf(error)
    // RFC 5321 4.2.1: the server will reject the same mail again.
    const isPermanent = isRefused && responseCode !== undefined && responseCode >= 500
    const text = [code, responseCode].filter((part) => part !== undefined).join(' ')
    const { isGivenUp } = await outbox.markFailed(mailId, {
      error: text,
      isRefused,
      isPermanent,
      refused: isRecipientRefused && mail !== undefined ? mail.to : null,
    })
    // The mail server's reply may quote an address, so it is not logged.
    if (isPermanent)
      log.error({ mail: mailId, code, responseCode }, 'the mail server rejected a mail permanently')
    else if (isGivenUp) log.error({ mail: mailId, code, responseCode }, 'a mail expired after three days')
    else if (isRefused) log.warn({ mail: mailId, code, responseCode }, 'the mail server refused a mail')
    else if (!isFailing) {
      log.warn({ mail: mailId, code, responseCode }, 'mail cannot be delivered; it is kept and retried')
      isFailing = true
    }
    return isGivenUp ? 'done' : 'again'
  }

  jobs.define(jobName, send, {
    retryDelay: 15,
    // More than three days of retries. The outbox decides when a mail expires.
    retryLimit: 50_000,
    longest: 30,
    pollInterval: 2,
    parallel: 5,
  })

  return {
    /** Adds a mail that is sent after the transaction commits. */
    async enqueue(trx: Transaction<Database>, mail: OutgoingMail): Promise<void> {
      const content = secrets.seal(purpose, JSON.stringify(mail))
      const mailId = await createOutboxRepository(trx).add(mail.kind, content)
      await jobs.send(trx, jobName, { mailId }, mailId)
    },

    /** Delivers a mail immediately, outside of the outbox. Returns the mail server's reply or the code of the fault. */
    async sendNow(mail: OutgoingMail): Promise<{ isSent: boolean; answer: string | null }> {
      const delivery = { id: uuidv7(), writtenAt: new Date(), mail: await inOneLanguage(mail) }
      try {
        const answer = await withinTime(deliver(delivery))
        // An exception would make the caller repeat a mail that has been delivered.
        await outbox
          .addSent(delivery.id, mail.kind)
          .catch((err: unknown) => log.error({ err, mail: delivery.id }, 'a sent mail was not recorded'))
        print?.(mail)
        return { isSent: true, answer: answer && shortened(answer) }
      } catch (error) {
        if (error instanceof AppError) throw error
        const { response } = (error ?? {}) as { response?: unknown }
        const { code = 'EFAULT' } = faultOf(error)
        return { isSent: false, answer: typeof response === 'string' ? shortened(response) : code }
      }
    },
  }
}
export type Mailer = ReturnType<typeof createMailer>

/** Replies of mail servers can have many lines. */
const shortened = (reply: string) => reply.replace(/\p{Cc}+/gu, ' ').slice(0, 500)

async function withinTime<Result>(delivered: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the delivery took too long')), deliveryTimeout)
  try {
    return await Promise.race([delivered, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function faultOf(error: unknown): DeliveryFault {
  const { code, responseCode, command } = (error ?? {}) as Record<
    'code' | 'responseCode' | 'command',
    unknown
  >
  const isRefused = code === 'EENVELOPE' || code === 'EMESSAGE'
  const known = typeof code === 'string' ? code : undefined
  return {
    code: known ?? (error instanceof Error ? error.name : undefined),
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
    isRefused,
    isRecipientRefused: isRefused && command !== 'MAIL FROM',
  }
}
