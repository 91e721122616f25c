import { randomBytes } from 'node:crypto'
import { codeIn } from '@pult/contract'
import { hashToken } from '#platform/secrets.ts'

/** Without look-alike letters, because a user may have to type the code. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'

/** Returns a code of 100 random bits, as `7K2QD-M9XAB-0TRZC-HW4EN`. */
export function newEdgeCode(): string {
  const letters = [...randomBytes(20)].map((byte) => alphabet[byte % alphabet.length])
  return letters.join('').replace(/.{5}(?=.)/g, '$&-')
}

/** Returns the hash of a code, independent of case, separators and the script of its digits. */
export const hashEdgeCode = (code: string): Buffer => hashToken(codeIn(code).replace(/[^A-Z0-9]/g, ''))
