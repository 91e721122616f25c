import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { createTokenLinkRepository } from './token-link.repository.ts'

/** Voids the open links of an account: all of them, or those sent to one address. */
export function voidLinks(trx: Transaction<Database>, personId: string, address?: string): Promise<void> {
  return createTokenLinkRepository(trx).voidOf(personId, address)
}

/**
 * Voids the open links that an account has created, before it is deleted: a link without a creator counts as one of the
 * installation.
 */
export function voidLinksCreatedBy(trx: Transaction<Database>, personId: string): Promise<void> {
  return createTokenLinkRepository(trx).voidCreatedBy(personId)
}
