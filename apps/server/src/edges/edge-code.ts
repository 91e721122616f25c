import { randomBytes } from 'node:crypto'
import { hashToken } from '#platform/secrets.ts'

/** Without letters that look like others: somebody may have to type it. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'

/** 100 random bits, as `7K2QD-M9XAB-0TRZC-HW4EN`. */
export function newEdgeCode(): string {
  const letters = [...randomBytes(20)].map((byte) => alphabet[byte % alphabet.length])
  return letters.join('').replace(/.{5}(?=.)/g, '$&-')
}

/** What is stored of a code: however it is written, and whatever was put between. */
export const hashEdgeCode = (code: string): Buffer =>
  hashToken(
    code
      .toUpperCase()
      .replace(/O/g, '0')
      .replace(/[IL]/g, '1')
      .replace(/[^A-Z0-9]/g, ''),
  )
