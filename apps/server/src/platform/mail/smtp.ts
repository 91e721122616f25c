import type { Deliver } from './mail.ts'
import { messageOf } from './message.ts'

interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps:`; nodemailer's options can follow as a query. */
  url: string
  from: string
}

/** A silent server must not hold a mail for long, because it is retried anyway. */
const timeouts = { connectionTimeout: 5000, greetingTimeout: 10_000, socketTimeout: 10_000, dnsTimeout: 5000 }

export function createSmtp({ url, from }: SmtpOptions): Deliver {
  return async (delivery) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ ...timeouts, url })
    try {
      const { response } = await transport.sendMail(messageOf(delivery, from))
      return response
    } finally {
      transport.close()
    }
  }
}
