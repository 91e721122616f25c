import type { MailKind } from '@pult/contract'
import type { Language } from '../language.ts'

/** A mail as rooms write it. */
export interface OutgoingMail {
  kind: MailKind
  /** Exactly one address, validated on input. */
  to: string
  subject: string
  text: string
  html: string
  /** The language of a recipient who has chosen none. */
  language?: Language
  /** The same mail in one language, for recipients whose language is known. */
  inLanguage?: Partial<Record<MailLanguage, Pick<OutgoingMail, 'subject' | 'text' | 'html'>>>
}

export type MailLanguage = 'de' | 'en'

/** A mail ready for delivery. */
export interface Delivery {
  id: string
  /** The time at which a room wrote it. */
  writtenAt: Date
  mail: OutgoingMail
}

/**
 * Sends a mail and returns the reply of the mail server; null without one. Throws if the delivery failed.
 * `onHandedOver` runs when the mail server has received the whole mail and has not replied yet: from then on a failure
 * leaves open whether it accepted the mail.
 */
export type Deliver = (delivery: Delivery, onHandedOver?: () => void) => Promise<string | null>
