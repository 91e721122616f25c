/** Why a delivery failed. */
export interface DeliveryFault {
  code: string | undefined
  responseCode: number | undefined
  /** The command of SMTP that failed, such as MAIL FROM; CONN for the connection. */
  command: string | undefined
  /** The mail server rejected the recipient or the content, and not this sender. */
  isOfMail: boolean
  /** RFC 5321 4.2.1: the server will reject the same command again. */
  isPermanent: boolean
  /** The reply of the mail server in one line. */
  reply: string | undefined
  /** One line for root: the codes, the command and the reply, such as `EAUTH AUTH PLAIN: 535 5.7.8 Wrong password`. */
  text: string
}

/** Longest text of a reply. Replies can have many lines. */
const longestReply = 300

/**
 * Replies to RCPT TO about the sender: to EHLO, MAIL FROM and the sign-in Postfix replies only there. 503, 504 and 530
 * concern commands, parameters and the sign-in; x.1.7, x.1.8, x.5 and x.7 the sender's address, protocol and policy
 * (RFC 3463).
 */
const ofSender = /^(?:503|504|530|[45]\d\d[ -][45]\.(?:1\.[78]|[57]\.\d))/

/** Replies about the amount that this sender may send in a day, as providers write them. The next day they accept it. */
const ofQuota =
  /^[45]\d\d[ -](?:[45]\.4\.5|5\.1\.90)\b|SubmissionQuotaExceeded|\b(?:sending|submission|daily)\b.{0,40}\b(?:quota|limit)\b/i

export function faultOf(error: unknown): DeliveryFault {
  const { code, originalCode, responseCode, response, command } = (error ?? {}) as Record<string, unknown>
  const known = textOf(code) ?? (error instanceof Error ? error.name : undefined)
  const status = typeof responseCode === 'number' ? responseCode : undefined
  const during = textOf(command)
  // Errors without a code are our own, and their messages may quote the mail.
  const answer = textOf(response)
  const reply = answer && oneLine(answer)
  const words = reply ?? (textOf(code) && error instanceof Error ? oneLine(error.message) : undefined)
  const isOfSender = during === 'MAIL FROM' || (during === 'RCPT TO' && ofSender.test(answer ?? ''))
  const isOfQuota = ofQuota.test(answer ?? '')
  const codes = [known, textOf(originalCode), during].filter((part) => part !== undefined).join(' ')
  return {
    code: known,
    responseCode: status,
    command: during,
    isOfMail: (code === 'EENVELOPE' || code === 'EMESSAGE') && !isOfSender && !isOfQuota,
    isPermanent: status === undefined ? code === 'EAUTH' : status >= 500,
    reply,
    text: words === undefined ? codes : `${codes}: ${words}`,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * Returns a reply as one short line without invisible characters and without a full stop. Filters quote links of the
 * mails that they reject, so long tokens are left out.
 */
export const oneLine = (reply: string) =>
  reply
    .replace(/\p{C}+/gu, ' ')
    .replace(/[\w-]{32,}/g, '…')
    .trim()
    .slice(0, longestReply)
    .replace(/\.$/, '')
