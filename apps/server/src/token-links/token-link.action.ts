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
  device: string | undefined
}

/**
 * Runs in the transaction that consumes the link, with the person row locked. A thrown refusal rolls everything back.
 * A returned refusal leaves the link open and commits the count of the failed attempt.
 */
export type Redeem = (trx: Transaction<Database>, emit: Emit) => Promise<Redemption | AppError>

/** The handler that a room registers for the links of its action. */
export interface TokenLinkActionHandler {
  /** Describes the link to its holder. Changes nothing. */
  describe(link: StoredTokenLink, caller: Caller | null): Promise<TokenLink['data']>
  /** Runs all slow work and all checks before a row is locked. Returns the function that completes the redemption. */
  prepare(link: StoredTokenLink, body: unknown, call: RedeemCall): Promise<Redeem>
  /** Returns whether a used link can be redeemed again because its effect still holds and a repeat changes nothing. */
  isRepeatable?(link: StoredTokenLink): Promise<boolean>
}

/** Parses the body of one action; the endpoint's schema is the union of all actions. */
export function parseBody<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = z.safeParse(schema, body)
  if (parsed.success) return parsed.data
  const issues: ErrorReply['issues'] = parsed.error.issues.map(({ path, message }) => ({
    path: path.filter((part) => typeof part !== 'symbol'),
    message,
  }))
  throw new AppError('VALIDATION_FAILED', { issues })
}
