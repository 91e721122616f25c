import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import { createTokenLinkRepository } from './token-link.repository.ts'
import type { NewTokenLink } from './token-link.ts'

/** Creates links below the configured public URL. The host of a request never appears in a link. */
export function createLinkIssuer({ publicUrl }: { publicUrl: string }) {
  return async function issueLink(trx: Transaction<Database>, link: NewTokenLink) {
    const { token = newToken() } = link
    const linkId = await createTokenLinkRepository(trx).add(link, hashToken(token))
    return { linkId, url: `${publicUrl}/bift/${token}` }
  }
}
export type IssueLink = ReturnType<typeof createLinkIssuer>
