import { timingSafeEqual } from 'node:crypto'
import { apiBase } from '@pult/contract'
import type { Secrets } from '#platform/secrets.ts'

/** The content of a signed link to one file. */
export interface SignedLink {
  fileId: string
  /** Shown in a page instead of downloaded. */
  isInline: boolean
  /** Expiry in Unix seconds. */
  until: number
  /** The session to which the link was issued. The link works only as long as its holder may see the file. */
  session: string
}

const purpose = 'file link'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Creates and checks URLs of files that need no token. They expire at round times, so that a page that renders again
 * gets the same URL and can use the browser's cache. `now` is the database's clock, which also decides about expiry,
 * because the clocks of nodes may differ.
 */
export function createSignedLinks(secrets: Pick<Secrets, 'mac'>, now: () => number) {
  const signatureOf = ({ fileId, isInline, until, session }: SignedLink) =>
    secrets.mac(purpose, JSON.stringify([fileId, isInline, until, session]))

  return {
    /** Creates a link that is valid for `lifetime` to 1.5 times `lifetime` milliseconds. */
    make(
      { fileId, session }: Pick<SignedLink, 'fileId' | 'session'>,
      { lifetime, isInline }: { lifetime: number; isInline: boolean },
    ) {
      const step = Math.max(1, Math.floor(lifetime / 2000))
      const until = Math.ceil((now() + lifetime) / 1000 / step) * step
      const query = new URLSearchParams({
        until: String(until),
        ...(isInline && { inline: '1' }),
        session,
        signature: signatureOf({ fileId, isInline, until, session }),
      })
      return {
        url: `${apiBase}/files/${fileId}/content?${query.toString()}`,
        expiresAt: new Date(until * 1000),
      }
    },

    /** Returns undefined for an invalid signature. The caller checks the expiry and the session in the database. */
    read(fileId: string, query: Readonly<Record<string, unknown>>): SignedLink | undefined {
      const { until, inline, session, signature } = query
      if (typeof until !== 'string' || !/^[1-9]\d{9,10}$/.test(until)) return undefined
      if (inline !== undefined && inline !== '1') return undefined
      // Work without a session gets links that no user can open.
      if (typeof session !== 'string' || !uuid.test(session)) return undefined
      const link = { fileId, isInline: inline === '1', until: Number(until), session }
      return typeof signature === 'string' && isSame(signature, signatureOf(link)) ? link : undefined
    },
  }
}
export type SignedLinks = ReturnType<typeof createSignedLinks>

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
