/** A mail as the rooms write it. */
export interface OutgoingMail {
  /** Exactly one address, checked by whoever took it in. */
  to: string
  subject: string
  text: string
  html: string
  /** The same in one language alone, for somebody who is known to read that. */
  inLanguage?: Partial<Record<MailLanguage, Pick<OutgoingMail, 'subject' | 'text' | 'html'>>>
}

export type MailLanguage = 'de' | 'en'

/** A mail as it leaves. */
export interface Delivery {
  id: string
  /** When the rooms wrote it. */
  writtenAt: Date
  mail: OutgoingMail
}

/** Brings a mail on its way, or throws. */
export type Deliver = (delivery: Delivery) => Promise<void>
