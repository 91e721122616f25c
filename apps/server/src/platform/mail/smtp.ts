import type { Deliver } from './mail.ts'
import { messageOf } from './message.ts'

interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps:`; nodemailer's options can follow as a query. */
  url: string
  from: string
}

/** A server that says nothing must not hold a mail for long: it is tried again anyway. */
const timeouts = { connectionTimeout: 5000, greetingTimeout: 10_000, socketTimeout: 10_000, dnsTimeout: 5000 }

export function createSmtp({ url, from }: SmtpOptions): Deliver {
  return async (delivery) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ ...timeouts, url })
    try {
      await transport.sendMail(messageOf(delivery, from))
    } finally {
      transport.close()
    }
  }
}
