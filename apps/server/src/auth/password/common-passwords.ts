import { readFileSync } from 'node:fs'

/** Maximum length of the part that a pattern repeats. */
const repeatedMax = 4
/** Minimum length of a pattern before digits and signs, and of a word that the list has with digits and signs. */
const stemMin = 4
/** Maximum number of digits and signs after a word in the passwords that attackers try first, unless they are a pattern. */
const suffixMax = 8

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
  admin administrator benutzer changeme default demo geheim guest hallo hello kennwort letmein login master pass passwort
  qwertz root schatz secret server service start support system temp test user welcome willkommen
  spring summer autumn winter fruehling frühling sommer herbst
  january february march april june july august september october november december januar februar märz juni juli oktober dezember
  monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
  berlin hamburg frankfurt koeln köln muenchen münchen stuttgart wien zuerich zürich london paris germany deutschland
`

/** Returns a function that replaces the first character of each entry with the rest of the entry. */
function replacing(entries: string): (text: string) => string {
  const replacements = new Map(
    entries.split(' ').map((entry) => [entry.slice(0, 1), entry.slice(1)] as const),
  )
  return (text) => [...text].map((character) => replacements.get(character) ?? character).join('')
}

/** Cyrillic and Greek letters that look like Latin ones. */
const readAsLatin = replacing(
  'аa вb еe нh іi јj кk мm оo рp ԛq сc ѕs тt уy хx һh ԁd ԝw αa βb εe ηn ιi κk νv οo ρp τt υu χx ωw ßss ıi øo łl',
)
/** One character for all that look alike; `i`, `l` and `1` are one of these groups. */
const readLookAlikes = replacing('0o 1l !l |l il 3e €e 4a @a 5s $s 7t 8b')
/** The digits on the same keys of an English keyboard: `1qaz@wsx` is `1qaz2wsx` with a pressed shift key. */
const readShifted = replacing('!1 @2 #3 $4 %5 ^6 &7 *8 (9 )0')

/** Returns a text without differences of case, width, diacritics and script. */
export const fold = (text: string): string =>
  readAsLatin(text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, ''))

const withoutSuffix = (text: string) => text.replace(/(?<![^\p{L}])[^\p{L}]+$/u, '')

let common: ReadonlySet<string> | undefined

function readCommon(): ReadonlySet<string> {
  const lines = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n')
  const passwords = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const words = passwords.map(withoutSuffix).filter((word) => word.length >= stemMin)
  // The list is in lower case and ASCII, so only the words need folding.
  return new Set([...passwords, ...words, ...fold(baseWords).trim().split(/\s+/)].map(readLookAlikes))
}

function isListed(text: string): boolean {
  common ??= readCommon()
  return common.has(readLookAlikes(text)) || common.has(readLookAlikes(readShifted(text)))
}

/** `abababab`, `87654321`, `24.12.1999`: just as common, but missing in lists because programs generate them. */
function isPattern(text: string): boolean {
  const characters = [...text]
  if (characters.length < stemMin) return false
  for (let length = 1; length <= Math.min(repeatedMax, characters.length / 2); length += 1) {
    if (characters.every((character, index) => character === characters[index % length])) return true
  }
  return runs.some((run) => run.includes(text)) || dates.some((date) => date.test(text))
}

/**
 * Returns the text and its parts without some and without all of the digits and signs at its end. The last letter may
 * be a look-alike, as in `hall0123!`.
 */
function stemsOf(text: string): string[] {
  const word = withoutSuffix(text)
  const shortest = Math.max(word.length, text.length - suffixMax)
  const stems = Array.from({ length: text.length - shortest + 1 }, (_, index) =>
    text.slice(0, shortest + index),
  )
  const suffix = text.slice(word.length)
  return [suffix, suffix.replace(/(?<![^\p{N}])[^\p{N}]+$/u, '')].some(isPattern) ? [word, ...stems] : stems
}

/** Returns the word that a text repeats: `password` for `passwordpassword`. */
function repeatedWordOf(text: string): string | undefined {
  const length = (text + text).indexOf(text, 1)
  return length < text.length ? text.slice(0, length) : undefined
}

/** Returns why a folded password is among those that attackers try first, or undefined. */
export function commonnessOf(password: string): 'pattern' | 'list' | undefined {
  for (const stem of stemsOf(password)) {
    if (isPattern(stem) || isPattern(readShifted(stem))) return 'pattern'
    if (isListed(stem)) return 'list'
    const word = repeatedWordOf(stem)
    const commonness = word === undefined ? undefined : commonnessOf(word)
    if (commonness !== undefined) return commonness
  }
  return undefined
}
