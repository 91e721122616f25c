import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { onFileEnd } from './on-file-end.ts'

/** A decoded mail. */
export interface ReceivedMail {
  to: string
  subject: string
  text: string
  html: string
  /** First link in the text. */
  link: string
}

const patience = 30_000

/**
 * Starts a real mail server on loopback until the end of the file, for SMTP_URL:
 * `testServer({ settings: { SMTP_URL: mailbox.url } })`.
 */
export async function openMailbox() {
  const received: ReceivedMail[] = []
  const taken = new Set<ReceivedMail>()

  async function receive(
    stream: Readable,
    session: SMTPServerSession,
    done: (error?: Error) => void,
  ): Promise<void> {
    const { subject = '', text = '', html = '' } = await PostalMime.parse(await buffer(stream))
    const link = /https?:\/\/\S+/.exec(text)?.[0] ?? ''
    for (const { address } of session.envelope.rcptTo) {
      received.push({ to: address, subject, text, html, link })
    }
    done()
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => void receive(stream, session, done),
  })
  // Clients that disconnect early are irrelevant.
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  onFileEnd(() => new Promise<void>((closed) => server.close(() => closed())))

  const find = (to: string, subject: RegExp) =>
    received.find((mail) => mail.to === to && subject.test(mail.subject) && !taken.has(mail))

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    /** All received mails, including those returned by `take`. */
    received,
    /** Waits for a mail that no other call has returned; fails after 30 s. */
    async take(to: string, subject = /(?:)/): Promise<ReceivedMail> {
      const end = Date.now() + patience
      for (;;) {
        const mail = find(to, subject)
        if (mail !== undefined) {
          taken.add(mail)
          return mail
        }
        if (Date.now() > end) {
          const there = received.map((other) => `${other.to}: ${other.subject}`).join('\n')
          throw new Error(`No mail to ${to} with ${String(subject)} arrived. Received mails:\n${there}`)
        }
        await delay(50)
      }
    },
  }
}
export type Mailbox = Awaited<ReturnType<typeof openMailbox>>
