import type { Deliver } from './mail.ts'
import { type Mailbox, mailDomain } from './mailbox.ts'
import { messageOf } from './message.ts'

interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps:`; nodemailer's options can follow as a query. */
  url: string
  from: Mailbox
  /** The host of the public URL. */
  host: string
  /** Milliseconds for everything before the reply to the mail, and for this reply. */
  patience?: { handOver: number; reply: number }
}

/**
 * A silent server must not hold a mail for long, because it is retried anyway. Only the reply to a whole mail may take
 * minutes (RFC 5321 4.5.3.2.6), because a repeat would be a second mail for its recipient.
 */
const defaultPatience = { handOver: 20_000, reply: 300_000 }

const timeouts = { connectionTimeout: 5000, greetingTimeout: 10_000, dnsTimeout: 5000 }

export function createSmtp({ url, from, host, patience = defaultPatience }: SmtpOptions): Deliver {
  const name = heloName(host)
  return async (delivery, onHandedOver) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      ...timeouts,
      socketTimeout: patience.handOver + patience.reply,
      ...(name !== undefined && { name }),
      url,
    })
    const late = new AbortController()
    const abort = () => late.abort()
    let timer = setTimeout(abort, patience.handOver)
    let isHandedOver = false
    transport.use('stream', (mail, done) => {
      mail.message.processFunc((content) =>
        content.once('end', () => {
          clearTimeout(timer)
          timer = setTimeout(abort, patience.reply)
          isHandedOver = true
          onHandedOver?.()
        }),
      )
      done()
    })
    try {
      const { response } = await transport.sendMail({ ...messageOf(delivery, from), signal: late.signal })
      return response
    } catch (error) {
      throw late.signal.aborted
        ? tooLate(isHandedOver ? patience.reply : patience.handOver)
        : cleaned(error, url)
    } finally {
      clearTimeout(timer)
      transport.close()
    }
  }
}

/** A name without a dot is no full host name: nodemailer then uses the name or the address of this machine. */
const heloName = (host: string) => (host.includes('.') || host.startsWith('[') ? mailDomain(host) : undefined)

const tooLate = (time: number) =>
  Object.assign(new Error(`the mail server did not reply within ${time / 1000} s`), { code: 'ETIMEDOUT' })

/** Removes the password from an error, because a mail server may repeat a command in its reply. */
function cleaned(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error
  const { username, password } = new URL(url)
  if (password === '') return error
  const [user, secret] = [username, password].map((part) => decodeURIComponent(part))
  const base64 = (text: string | undefined) => Buffer.from(text ?? '').toString('base64')
  const clean = (text: string) =>
    [base64(`\0${user}\0${secret}`), base64(secret), secret, password].reduce<string>(
      (made, part) => made.replaceAll(part ?? '', '…'),
      text,
    )
  error.message = clean(error.message)
  if ('response' in error && typeof error.response === 'string') error.response = clean(error.response)
  return error
}
