import type { Kysely, Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '../app-error.ts'
import type { Database } from '../database/schema.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Language, Sentence } from '../language.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { whenAnswered } from '../transient.ts'
import { faultOf, oneLine } from './delivery-fault.ts'
import type { Deliver, OutgoingMail } from './mail.ts'
import { mailRemedy } from './mail-remedy.ts'
import { type ClaimedMail, createOutboxRepository, unclearSign } from './outbox.repository.ts'

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
  /** Milliseconds for which a job or a call waits for a delivery. */
  deliveryTimeout?: number
}

/** Milliseconds: less than a claim lasts, and a claim lasts less than a job may take. */
const defaultDeliveryTimeout = 20_000

/** Milliseconds between two ends of all pauses: a mail server that accepts some mails may still reject the others. */
const resumeInterval = 1_800_000

const jobName = 'mail'
const purpose = 'mail'

/** Mails are written in the caller's transaction and sent by a job, so that no call waits for a mail server. */
export function createMailer({
  db,
  secrets,
  jobs,
  log,
  deliver,
  languageOf,
  print,
  deliveryTimeout = defaultDeliveryTimeout,
}: MailerParts) {
  const outbox = createOutboxRepository(db)
  let isFailing = false
  let isNew = true
  let nextResume = 0

  async function send({ mailId }: { mailId: string }): Promise<'done' | 'again'> {
    // The restart may have corrected the settings.
    if (isNew) await outbox.retrySoon()
    isNew = false
    const claimed = await outbox.claim(mailId)
    if (claimed === undefined) return (await outbox.isOpen(mailId)) ? 'again' : 'done'
    const delivered = deliverClaimed(mailId, claimed)
    // A slow reply must not hold the job. The delivery continues, and its claim prevents other attempts.
    return withinTime(delivered, () => {
      delivered.catch((err: unknown) => log.error({ err, mail: mailId }, 'a delivery was not recorded'))
      return 'again'
    })
  }

  async function deliverClaimed(mailId: string, claimed: ClaimedMail): Promise<'done' | 'again'> {
    let mail: OutgoingMail | undefined
    let isHandedOver = false
    let claiming: Promise<void> | undefined
    try {
      mail = await inOneLanguage(JSON.parse(secrets.open(purpose, claimed.content)) as OutgoingMail)
      await deliver({ id: mailId, writtenAt: claimed.createdAt, mail }, () => {
        isHandedOver = true
        // Without it, another attempt would deliver the mail again.
        claiming = whenAnswered(() => outbox.extendClaim(mailId))
        claiming.catch((err: unknown) =>
          log.warn({ err, mail: mailId }, 'the claim of a mail was not extended'),
        )
      })
    } catch (error) {
      await claiming?.catch(() => {})
      return failed(mailId, error, mail, isHandedOver)
    }
    await claiming?.catch(() => {})
    // A retry of the job would deliver the mail again.
    await whenAnswered(() => outbox.markSent(mailId))
    await delivers()
    print?.(mail)
    return 'done'
  }

  /** The mail server accepts mails again: the waiting ones need not wait for the end of their back-off. */
  async function delivers(): Promise<void> {
    if (!isFailing) return
    isFailing = false
    log.info('mail is delivered again')
    if (performance.now() < nextResume) return
    nextResume = performance.now() + resumeInterval
    await outbox.retrySoon()
  }

  async function withinTime<Result>(delivered: Promise<Result>, late: () => Result): Promise<Result> {
    const waiting = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => waiting.resolve('late'), deliveryTimeout)
    try {
      const first = await Promise.race([delivered.then((result) => ({ result })), waiting.promise])
      return first === 'late' ? late() : first.result
    } finally {
      clearTimeout(timer)
    }
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
    isHandedOver: boolean,
  ): Promise<'done' | 'again'> {
    const { code, responseCode, command, isOfMail, isPermanent, text } = faultOf(error)
    const isRefused = isOfMail && isPermanent
    // Without a reply to the whole mail, the mail server may have accepted it: each attempt may deliver it again.
    const isUnclear = isHandedOver && responseCode === undefined
    const whole = isUnclear ? `${text}${unclearSign}` : text
    const failure = {
      error: whole,
      // A server that is down is asked again soon. One that answers would block a sender for too many attempts.
      isLater: isOfMail || isPermanent || responseCode !== undefined,
      isUnclear,
      isPermanent: isRefused,
      refused: isOfMail && mail !== undefined ? mail.to : null,
    }
    // A retry of the job would not wait for the back-off.
    const { isGivenUp } = await whenAnswered(() => outbox.markFailed(mailId, failure))
    // The mail server's reply may quote an address, so it is not logged.
    const fault = { mail: mailId, code, responseCode, command }
    const remedy = mailRemedy(whole).de
    if (isRefused) log.error(fault, `the mail server rejected a mail permanently. ${remedy}`)
    else if (isGivenUp && isUnclear)
      log.error(fault, `the mail server did not confirm a mail in several attempts. ${remedy}`)
    else if (isGivenUp) log.error(fault, `a mail expired after three days. ${remedy}`)
    else if (isOfMail) log.warn(fault, `the mail server rejected a mail for now. ${remedy}`)
    else if (isUnclear)
      log.warn(fault, `the mail server did not confirm a mail; it may arrive twice. ${remedy}`)
    else if (!isFailing) log.warn(fault, `mail cannot be delivered; it is kept and retried. ${remedy}`)
    if (!isOfMail && !isUnclear) isFailing = true
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

    /**
     * Delivers a mail immediately, outside of the outbox. Returns the mail server's reply, or the code of the fault and
     * its remedy.
     */
    async sendNow(
      mail: OutgoingMail,
    ): Promise<{ isSent: boolean; answer: string | null; remedy?: Sentence }> {
      const delivery = { id: uuidv7(), writtenAt: new Date(), mail: await inOneLanguage(mail) }
      try {
        const answer = await withinTime(deliver(delivery), () => {
          throw Object.assign(new Error('no reply within the time limit'), { code: 'ETIMEDOUT' })
        })
        // An exception would make the caller repeat a mail that has been delivered.
        nextResume = 0
        await outbox
          .addSent(delivery.id, mail.kind)
          .then(delivers)
          .catch((err: unknown) => log.error({ err, mail: delivery.id }, 'a sent mail was not recorded'))
        print?.(mail)
        return { isSent: true, answer: answer && oneLine(answer) }
      } catch (error) {
        if (error instanceof AppError) throw error
        const { reply, text } = faultOf(error)
        return { isSent: false, answer: reply ?? text, remedy: mailRemedy(text) }
      }
    },
  }
}
export type Mailer = ReturnType<typeof createMailer>
