import type { ErrorReply, Redemption, TokenLink } from '@pult/contract'
import type { Transaction } from 'kysely'
import * as z from 'zod/mini'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit } from '#platform/realtime/events.ts'
import type { StoredTokenLink } from './token-link.ts'

export interface RedeemCall {
  caller: Caller | null
  address: string
  userAgent: string
}

/**
 * Runs in the transaction that uses the link up, with the row of the person it belongs to locked. A refusal that is
 * thrown undoes everything; one that is answered leaves the link open and keeps what was written of the failed try.
 */
export type Redeem = (trx: Transaction<Database>, emit: Emit) => Promise<Redemption | AppError>

/** What a room does for the links of its action. */
export interface TokenLinkActionHandler {
  /** What the holder is told before anything is done. Changes nothing. */
  describe(link: StoredTokenLink): Promise<TokenLink['data']>
  /** Everything slow and everything that refuses, before a row is locked; answers what remains to be done. */
  prepare(link: StoredTokenLink, body: unknown, call: RedeemCall): Promise<Redeem>
  /** Whether a link that was used may be used again, because what it did still holds and doing it twice changes nothing. */
  isRepeatable?(link: StoredTokenLink): Promise<boolean>
}

/** The body that one action takes: the endpoint as a whole takes those of all. */
export function parseBody<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = z.safeParse(schema, body)
  if (parsed.success) return parsed.data
  const issues: ErrorReply['issues'] = parsed.error.issues.map(({ path, message }) => ({
    path: path.filter((part) => typeof part !== 'symbol'),
    message,
  }))
  throw new AppError('VALIDATION_FAILED', { issues })
}
