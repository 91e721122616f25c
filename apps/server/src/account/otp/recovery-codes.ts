import { createHash, randomBytes } from 'node:crypto'
import { codeIn, limits } from '@pult/contract'

/** Crockford's base32: without I, L, O and U, so that handwritten codes are unambiguous. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 bits. */
const codeLength = 16
const groupLength = 4

/** Maximum number of candidates. A complete sheet has ten codes; twice as many candidates leave room for other text. */
const candidatesMost = 20

/** Sixteen characters in groups of four. */
export function newRecoveryCode(): string {
  const characters = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
  return groupsOf(characters, groupLength).join('-')
}

export const newRecoveryCodes = (): string[] => Array.from({ length: limits.recoveryCodes }, newRecoveryCode)

/** SHA-256 is enough: the codes are random and cannot be guessed. */
export const hashRecoveryCode = (salt: Buffer, code: string): Buffer =>
  createHash('sha256').update(salt).update(plain(code)).digest()

const groupsOf = (text: string, length: number): string[] => text.match(new RegExp(`.{${length}}`, 'g')) ?? []

const plain = (text: string) => codeIn(text).replaceAll(new RegExp(`[^${alphabet}]`, 'g'), '')

/** Four groups of four with the same separator or none: the format in which codes are shown and usually copied. */
const shown = /(?<![0-9A-Z])[0-9A-Z]{4}([^0-9A-Z]?)[0-9A-Z]{4}\1[0-9A-Z]{4}\1[0-9A-Z]{4}(?![0-9A-Z])/g

/**
 * Returns candidates for recovery codes in a pasted text, without separators: first the words in the format of a
 * code, then groups of the text with its separators removed.
 */
export function recoveryCodesIn(pasted: string): string[] {
  const looking = codeIn(pasted).match(shown)?.map(plain) ?? []
  const all = groupsOf(plain(pasted), codeLength)
  return [...new Set([...looking, ...all])].slice(0, candidatesMost)
}
