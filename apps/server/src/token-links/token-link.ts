import type { TokenLinkAction } from '@pult/contract'

export interface NewTokenLink {
  /** Given by work that may run twice: the second link of one id is refused by the database. */
  id?: string
  action: TokenLinkAction
  /** The address that the link belongs to, and that gets it. */
  email: string
  /** The account that the link belongs to, if it is not for an address alone. */
  personId: string | null
  /** What the action needs to know later. */
  data: Record<string, unknown>
  /** The place that it leads to; of an address and a place the newest link counts. */
  target?: string
  createdBy: string | null
  /** Seconds. */
  lifetime: number
  /** Ends those open links of the action and account as well whose data has these fields, whatever their address. */
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
