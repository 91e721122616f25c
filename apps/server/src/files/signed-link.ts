import { timingSafeEqual } from 'node:crypto'
import { apiBase } from '@pult/contract'
import type { Secrets } from '#platform/secrets.ts'

/** A link to one file, as its address carries it. */
export interface SignedLink {
  fileId: string
  /** Shown in a page instead of saved. */
  isInline: boolean
  /** Seconds since 1970. */
  until: number
}

const purpose = 'file link'

/**
 * Addresses that show a file to whoever knows them. They end at round times, so that a page which is drawn again finds
 * the same address, and the browser what it has kept.
 */
export function createSignedLinks(secrets: Pick<Secrets, 'mac'>) {
  const signatureOf = ({ fileId, isInline, until }: SignedLink) =>
    secrets.mac(purpose, JSON.stringify([fileId, isInline, until]))

  return {
    /** Good for at least the lifetime (milliseconds), and at most for half of it more. */
    make(fileId: string, { lifetime, isInline }: { lifetime: number; isInline: boolean }) {
      const step = Math.max(1, Math.floor(lifetime / 2000))
      const until = Math.ceil((Date.now() + lifetime) / 1000 / step) * step
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

    /** Undefined for an address that was not made here. Whether it has ended, the database's clock tells. */
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
