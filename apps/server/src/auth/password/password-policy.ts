import { readFileSync } from 'node:fs'
import { limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'

/** Whose password it becomes: their own words are the first that others try. */
export interface PasswordOwner {
  firstname: string
  lastname: string
  emails: readonly string[]
}

const productWord = 'pult'

/** The head of every list of leaked passwords is short; above this a pattern is no longer one of the common ones. */
const patternMax = 12
const repeatedMax = 4

const alphabet = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'.repeat(3)
const backwards = (text: string) => [...text].toReversed().join('')
const runs = [alphabet, backwards(alphabet), digits, backwards(digits)]

const day = '(?:0[1-9]|[12]\\d|3[01])'
const month = '(?:0[1-9]|1[0-2])'
const year = '(?:19|20)\\d\\d'
const dates = [
  [day, month, year],
  [month, day, year],
  [year, month, day],
].map((parts) => new RegExp(`^${parts.join('[./-]?')}$`))

let commonPasswords: string | undefined

function isCommon(password: string): boolean {
  commonPasswords ??= readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
  return !password.includes('\n') && commonPasswords.includes(`\n${password}\n`)
}

/** `abababab`, `87654321`, `24.12.1999`: they are as common, but lists leave them out because programs make them. */
function isPattern(password: string): boolean {
  const characters = [...password]
  if (characters.length > patternMax) return false
  for (let length = 1; length <= repeatedMax; length += 1) {
    if (characters.every((character, index) => character === characters[index % length])) return true
  }
  return runs.some((run) => run.includes(password)) || dates.some((date) => date.test(password))
}

/** Nothing but the product's and the person's own words, with digits and signs between and after them. */
function isOwnWords(password: string, { firstname, lastname, emails }: PasswordOwner): boolean {
  const words = [productWord, firstname, lastname, ...emails]
    .flatMap((text) => comparable(text).split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length > 1 && /\p{L}/u.test(word))
    .toSorted((a, b) => b.length - a.length)
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password)
  return rest !== password && !/\p{L}/u.test(rest)
}

const comparable = (text: string) => text.normalize('NFKC').toLowerCase()

/**
 * Refuses what may not become a password. Registration, reset and change all ask here; a login does not, so that a
 * password chosen under an older policy goes on working.
 */
export function checkNewPassword(password: string, owner: PasswordOwner): void {
  if (Buffer.byteLength(password) > limits.passwordMaxBytes) throw new AppError('PASSWORD_TOO_LONG')
  const { length } = [...password.normalize('NFKC')]
  if (length < limits.newPasswordMin) throw new AppError('PASSWORD_TOO_SHORT')
  if (length > limits.newPasswordMax) throw new AppError('PASSWORD_TOO_LONG')

  const compared = comparable(password)
  if (isCommon(compared) || isPattern(compared) || isOwnWords(compared, owner)) {
    throw new AppError('PASSWORD_TOO_COMMON')
  }
}
