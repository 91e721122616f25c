import type { TokenLinkAction } from '@pult/contract'

export interface NewTokenLink {
  /** Set by jobs that may run twice: the database rejects a second link with the same id. */
  id?: string
  /** Replaces the random token, for a link that every node can print again. */
  token?: string
  action: TokenLinkAction
  /** The address that the link belongs to and is sent to. */
  email: string
  /** The account that the link belongs to; null if it belongs to an address only. */
  personId: string | null
  /** Data for the handler of the action. */
  data: Record<string, unknown>
  /** The target of an invitation. Only the newest link per address and target is valid. */
  target?: string
  createdBy: string | null
  /** Lifetime in seconds. */
  lifetime: number
  /** Also voids open links of the same action and account to other addresses whose data contains these fields. */
  replaces?: Record<string, unknown>
}

export interface StoredTokenLink {
  id: string
  action: TokenLinkAction
  email: string
  personId: string | null
  data: Record<string, unknown>
  createdBy: string | null
}
