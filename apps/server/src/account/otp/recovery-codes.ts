import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@pult/contract'

/** Crockford's base32: no I, L, O, U, so that what was written down by hand is read as it was meant. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 bits. */
const codeLength = 16
const groupLength = 4

/** Somebody who pastes a whole sheet pastes ten; twice that leaves room for what stands between. */
const candidatesMost = 20

/** Sixteen characters in groups of four. */
export function newRecoveryCode(): string {
  const characters = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
  return groupsOf(characters, groupLength).join('-')
}

export const newRecoveryCodes = (): string[] => Array.from({ length: limits.recoveryCodes }, newRecoveryCode)

/** SHA-256 is enough: a code is random, so that nobody finds it by trying. */
export const hashRecoveryCode = (salt: Buffer, code: string): Buffer =>
  createHash('sha256').update(salt).update(plain(code)).digest()

const groupsOf = (text: string, length: number): string[] => text.match(new RegExp(`.{${length}}`, 'g')) ?? []

const readable = (text: string) =>
  text.normalize('NFKC').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')

const plain = (text: string) => readable(text).replaceAll(new RegExp(`[^${alphabet}]`, 'g'), '')

/** Four groups of four with the same sign between them, or none: the way codes are shown, and copied by most. */
const shown = /(?<![0-9A-Z])[0-9A-Z]{4}([^0-9A-Z]?)[0-9A-Z]{4}\1[0-9A-Z]{4}\1[0-9A-Z]{4}(?![0-9A-Z])/g

/**
 * What may be recovery codes in a pasted text, without separators: first what looks like one among other words, then
 * whatever the text gives when everything between is left out.
 */
export function recoveryCodesIn(pasted: string): string[] {
  const looking = readable(pasted).match(shown)?.map(plain) ?? []
  const all = groupsOf(plain(pasted), codeLength)
  return [...new Set([...looking, ...all])].slice(0, candidatesMost)
}
