import { readFileSync } from 'node:fs'
import { limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'

/** The owner of a new password. Attackers try the owner's own words first. */
export interface PasswordOwner {
  firstname: string
  lastname: string
  emails: readonly string[]
}

const productWord = 'pult'

/** Maximum length of a pattern: longer ones are not common. */
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

/** Words that people extend to eight characters; the list holds only longer passwords. */
const baseWords = `
  admin administrator benutzer changeme default geheim guest hallo kennwort letmein login passwort qwertz root secret
  server service support system user welcome willkommen
  spring summer autumn winter fruehling frühling sommer herbst
  january february march april june july august september october november december januar februar märz juni juli oktober dezember
  monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
`

/** Maximum number of digits and signs after a word in the passwords that attackers try first. */
const suffixMax = 8
const baseMin = 4

const lookAlikes: Record<string, string> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '€': 'e',
  '!': 'i',
  '|': 'l',
}

/** Returns the words that a password may stand for: look-alike characters as letters, with and without its suffix. */
function wordsOf(password: string): string[] {
  const base = password.replace(/[^\p{L}]+$/u, '')
  const isExtended = base.length >= baseMin && password.length - base.length <= suffixMax
  return (isExtended ? [password, base] : [password]).flatMap((text) => {
    const read = [...text].map((character) => lookAlikes[character] ?? character).join('')
    return [read.replaceAll('1', 'l'), read.replaceAll('1', 'i')]
  })
}

let common: { passwords: ReadonlySet<string>; words: ReadonlySet<string> } | undefined

function readCommon() {
  const lines = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n')
  const passwords = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const words = passwords.filter((password) => /\p{L}{3}/u.test(password)).flatMap(wordsOf)
  return { passwords: new Set(passwords), words: new Set([...words, ...baseWords.trim().split(/\s+/)]) }
}

function isCommon(password: string): boolean {
  common ??= readCommon()
  const { passwords, words } = common
  return passwords.has(password) || wordsOf(password).some((word) => words.has(word))
}

/** `abababab`, `87654321`, `24.12.1999`: just as common, but missing in lists because programs generate them. */
function isPattern(password: string): boolean {
  const characters = [...password]
  if (characters.length > patternMax) return false
  for (let length = 1; length <= repeatedMax; length += 1) {
    if (characters.every((character, index) => character === characters[index % length])) return true
  }
  return runs.some((run) => run.includes(password)) || dates.some((date) => date.test(password))
}

/** Returns whether the password consists only of words of the product and the person, with digits and punctuation. */
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
 * Rejects a password that must not be chosen. Registration, reset and change share this function. A sign-in does not use
 * it, so passwords chosen under an older policy still work.
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
