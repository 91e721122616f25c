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
}

const purpose = 'file link'

/**
 * Creates and checks URLs of files that need no session. They expire at round times, so that a page that renders again
 * gets the same URL and can use the browser's cache. `now` is the database's clock, which also decides about expiry,
 * because the clocks of nodes may differ.
 */
export function createSignedLinks(secrets: Pick<Secrets, 'mac'>, now: () => number) {
  const signatureOf = ({ fileId, isInline, until }: SignedLink) =>
    secrets.mac(purpose, JSON.stringify([fileId, isInline, until]))

  return {
    /** Creates a link that is valid for `lifetime` to 1.5 times `lifetime` milliseconds. */
    make(fileId: string, { lifetime, isInline }: { lifetime: number; isInline: boolean }) {
      const step = Math.max(1, Math.floor(lifetime / 2000))
      const until = Math.ceil((now() + lifetime) / 1000 / step) * step
      const query = new URLSearchParams({
        until: String(until),
        ...(isInline && { inline: '1' }),
        signature: signatureOf({ fileId, isInline, until }),
      })
      return {
        url: `${apiBase}/files/${fileId}/content?${query.toString()}`,
        expiresAt: new Date(until * 1000),
      }
    },

    /** Returns undefined for an invalid signature. The caller checks the expiry in the database. */
    read(fileId: string, query: Readonly<Record<string, unknown>>): SignedLink | undefined {
      const { until, inline, signature } = query
      if (typeof until !== 'string' || !/^[1-9]\d{9,10}$/.test(until)) return undefined
      if (inline !== undefined && inline !== '1') return undefined
      const link = { fileId, isInline: inline === '1', until: Number(until) }
      return typeof signature === 'string' && isSame(signature, signatureOf(link)) ? link : undefined
    },
  }
}
export type SignedLinks = ReturnType<typeof createSignedLinks>

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
