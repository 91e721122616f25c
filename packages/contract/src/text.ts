import * as z from 'zod/mini'

/*
 * The rules for text that people enter (decision record 194): every name, label, tag, note, search term and code of the
 * contract uses one of these schemas. They normalise to NFC and apply to input only, so records of earlier releases
 * remain readable. Lengths count characters as readers see them (grapheme clusters).
 */

/** Text for which nothing has to be done. */
const plain = /^[\x20-\x7e]*$/

/**
 * Invisible characters outside the places where they belong: a variation selector behind a visible character, and the
 * tags of a regional flag. Joiners and the controls of direction are decided below.
 */
const invisible =
  /([^\p{DI}\p{Z}\p{C}]\p{VS}|\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})|(?![\u180e\u200c-\u200f\u061c\u202a-\u202e\u2066-\u2069])[\p{DI}\ufff9-\ufffb]/gu

/** ASCII, and scripts whose letters joiners and variation selectors do not change. */
const plainLetter =
  '[!-~\\p{sc=Latn}\\p{sc=Grek}\\p{sc=Cyrl}\\p{sc=Armn}\\p{sc=Geor}\\p{sc=Thai}\\p{sc=Hang}]'

/**
 * Joiners and variation selectors beside such letters: two names must not differ only in them. The frame of a key, as in
 * 1️⃣, needs its selector.
 */
const idle = new RegExp(
  `(?<=${plainLetter}[\\p{M}\\u180e\\u200c\\u200d]{0,16})(?!\\ufe0f\\u20e3)[\\p{VS}\\u180e\\u200c\\u200d]+|(?<![\\u180e\\u200c\\u200d])[\\u180e\\u200c\\u200d]+(?=${plainLetter})`,
  'gu',
)

/**
 * Joiners that connect two letters or emoji: Persian and Indic words and families need them. Marks and all symbols count
 * as such, because letters combine with marks in NFC. Behind a virama and behind an Arabic letter a joiner also changes
 * the form of a final letter.
 */
const joiner =
  /([\p{L}\p{M}\p{S}][\u180e\u200c\u200d](?=[\p{L}\p{M}\p{S}])|[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\p{sc=Arab}]\u200d)|[\u180e\u200c\u200d]/gu

/** Marks of direction. They cannot reverse other text, but are invisible in a name. */
const directionMark = /[\u061c\u200e\u200f]/g

/** Embeddings, overrides and isolates, which can display text in another order. */
const directionControl = /[\u202a-\u202e\u2066-\u2069]/g

/** Characters that no name contains: controls, halves of characters, private and unassigned ones, ends of lines. */
const notInNames = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** PostgreSQL stores neither. */
const notInTexts = /[\0\p{Cs}]/u
const controlInTexts = /(?![\0\t\n])\p{Cc}/gu
const lineEnd = /\r\n?|[\v\f\x85\u2028\u2029]/g

/** A letter, digit, sign or emoji. U+2800 is the Braille pattern without dots, U+1D159 a note without a head. */
const visible = /(?![\u2800\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Scripts stack up to eight marks on a letter. More of them cover the lines around it, even with joiners in between. */
const marksMost = 8
const nextMark = '(?:[\\u180e\\u200c\\u200d]?\\p{M})'
const tooManyMarks = new RegExp(`\\p{M}${nextMark}{${marksMost}}`, 'u')

/** Marks that follow each other. The normalisation of a run takes time quadratic in its length. */
const longRunOfMarks = /\p{M}{64}/u

/** UTF-16 code units per character, on average: a family has eleven, and a database index takes 800 in total. */
const unitsPerCharacter = 4

/** Returns the normalised text, unless its marks stack so high that no name, text or code contains them. */
const normalized = (text: string, form: 'NFC' | 'NFD' | 'NFKC') =>
  longRunOfMarks.test(text) ? text : text.normalize(form)

const composed = (text: string) => normalized(text, 'NFC')

const withoutInvisible = (text: string) =>
  composed(text.replace(invisible, '$1').replace(idle, '').replace(joiner, '$1'))

const tidyLine = (text: string) =>
  plain.test(text) ? text : withoutInvisible(text.replace(directionMark, ''))

const tidyLines = (text: string) =>
  plain.test(text) ? text : withoutInvisible(text.replace(lineEnd, '\n').replace(controlInTexts, ''))

let segmenter: Intl.Segmenter | undefined

/** Iterates over the characters of a text as readers see them. */
const charactersOf = (text: string) => (segmenter ??= new Intl.Segmenter()).segment(text)

/** Returns the number of characters as readers see them: an emoji and a letter with its accents count as one each. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of charactersOf(text)) count += 1
  return count
}

/** Returns whether a text has at most `most` characters, and no more code units than a text of that length may have. */
export const isWithinLength = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= most * unitsPerCharacter && countCharacters(text) <= most)

/** Cuts a text after `most` characters and `unitsMost` code units, without splitting a character. */
export function firstCharacters(text: string, most: number, unitsMost = most * unitsPerCharacter): string {
  if (text.length <= most) return text
  let [end, count] = [0, 0]
  for (const { segment } of charactersOf(text)) {
    if (count === most || end + segment.length > unitsMost) break
    end += segment.length
    count += 1
  }
  return text.slice(0, end)
}

/** Bounds a text of any length before it is cleaned. Cleaning only shortens it. */
const cut = (text: string, most: number): string => text.slice(0, most * unitsPerCharacter)

/**
 * Makes a valid name from a text that no user can correct, such as the name of a file or a machine: removes hidden
 * characters and shortens it. Empty if nothing visible remains.
 */
export function nameFrom(text: string, most: number): string {
  const clean = withoutHidden(cut(text, most).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim()
  // A joiner at the end joins nothing.
  const short = firstCharacters(clean, most).replace(joiner, '$1').trimEnd()
  return visible.test(short) ? short : ''
}

/** Cuts marks that stack higher than `most`. */
const withMarks = (text: string, most: number): string =>
  text.replace(new RegExp(`(\\p{M}${nextMark}{${most - 1}})${nextMark}+`, 'gu'), '$1')

/** Removes all characters that no name contains, and marks that stack too high. In NFC. */
export function withoutHidden(text: string): string {
  const shown = text.replace(new RegExp(notInNames, 'gu'), '')
  // A letter takes one of its marks in NFC, so the first cut leaves more than the second.
  return composed(withMarks(tidyLine(withMarks(shown, 4 * marksMost)), marksMost))
}

/** Cleans a text of several lines as `longText` does, and replaces what `longText` rejects as hidden. */
export const cleanLines = (text: string): string =>
  tidyLines(text.replace(/\p{Cs}/gu, '\ufffd').replaceAll('\0', ''))

/** Makes a report from any text that no user can correct: cleaned, without controls of direction, in `most` code units. */
export const reportFrom = (text: string, most: number): string =>
  firstCharacters(cleanLines(cut(text, most).replace(directionControl, '')), most, most)

/** Makes one line that `machineText` accepts from any text: without controls and halves of surrogate pairs, cut. */
export const lineFrom = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\p{Cc}\p{Cs}]/gu, ' ')

type Problem = string | undefined

const hidden = 'Must not contain control characters or hidden characters'
const crowded = `Must not have more than ${marksMost} marks on one letter`

const lengthProblem = (text: string, most: number): Problem =>
  isWithinLength(text, most) ? undefined : `Must have at most ${most} characters`

function nameProblem(text: string, min: number, most: number): Problem {
  if (text === '' && min === 0) return undefined
  if (notInNames.test(text)) return hidden
  if (!visible.test(text)) return 'Must not be empty'
  if (tooManyMarks.test(text)) return crowded
  if ([...text].length < min) return `Must have at least ${min} characters`
  return lengthProblem(text, most)
}

function linesProblem(text: string, most: number): Problem {
  if (notInTexts.test(text)) return hidden
  return tooManyMarks.test(text) ? crowded : lengthProblem(text, most)
}

// @__NO_SIDE_EFFECTS__
const refuse = (problemOf: (text: string) => Problem) =>
  z.refine<string>((text) => problemOf(text) === undefined, {
    error: ({ input }) => problemOf(input as string),
  })

/** The length of a text, which is checked before the text is cleaned and examined: both take time. */
// @__NO_SIDE_EFFECTS__
const atMost = (most: number, units = most * unitsPerCharacter) =>
  z.maxLength(units, { error: `Must have at most ${most} characters`, abort: true })

/** Bounds of a cleaned text, for the API reference as well. A few letters are longer in NFC. */
// @__NO_SIDE_EFFECTS__
const bounds = (min: number, most: number, units?: number) => [
  z.minLength(min, {
    error: min > 1 ? `Must have at least ${min} characters` : 'Must not be empty',
    abort: true,
  }),
  atMost(most, units),
]

/**
 * A name in one line: at least one visible character, no controls of any kind, trimmed, in NFC. Soft hyphens, zero-width
 * spaces and marks of direction are removed, joiners between letters and emoji stay. `min` is in code points; with 0, the
 * name can be empty. `units` replaces the limit of UTF-16 code units.
 */
// @__NO_SIDE_EFFECTS__
export const nameText = (most: number, { min = 1, units }: { min?: number; units?: number } = {}) =>
  z.string().check(
    atMost(most, units),
    z.overwrite(tidyLine),
    z.trim(),
    ...bounds(min, most, units),
    refuse((text) => nameProblem(text, min, most)),
  )

/**
 * A name from a program, or one that is sent again with each change of its record: as `nameText`, but what no name contains
 * is removed instead of rejected. With a `min` of 0, a name without a visible character becomes empty.
 */
// @__NO_SIDE_EFFECTS__
export const cleanedName = (most: number, { min = 1 } = {}) =>
  z.string().check(
    atMost(most),
    z.overwrite((text) => {
      const clean = withoutHidden(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
      return min > 0 || visible.test(clean) ? clean : ''
    }),
    z.trim(),
    ...bounds(min, most),
    refuse((text) => nameProblem(text, min, most)),
  )

/**
 * A name as it is stored, even by an earlier release with hidden characters: for filters, and for lists that are sent again
 * with each of their changes. The server applies `nameText` to those that it has not stored.
 */
// @__NO_SIDE_EFFECTS__
export const storedName = (most: number) => z.string().check(z.maxLength(most * unitsPerCharacter))

/** A text with line breaks and tabs, in NFC. Hidden characters are removed; it can be empty. `first` checks the input. */
// @__NO_SIDE_EFFECTS__
export const longText = (most: number, ...first: z.core.$ZodCheck<string>[]) =>
  z.string().check(
    ...first,
    atMost(most),
    z.overwrite(tidyLines),
    ...bounds(0, most),
    refuse((text) => linesProblem(text, most)),
  )

/** A search term: in NFC and without hidden characters, because stored names are as well. It can be empty. */
// @__NO_SIDE_EFFECTS__
export const searchText = (most: number) =>
  z.string().check(
    atMost(most),
    z.overwrite((text) => tidyLine(text.replace(directionControl, ''))),
    ...bounds(0, most),
    refuse((text) => lengthProblem(text, most)),
  )

/**
 * One line that a machine or an extension reports, in NFC and in at most `most` code units. Controls of direction are
 * removed; only other controls and halves of characters are rejected, because no user of the console can correct it.
 */
// @__NO_SIDE_EFFECTS__
export const machineText = (most: number, { min = 0 } = {}) =>
  z.string().check(
    z.maxLength(most, { abort: true }),
    z.overwrite((text) => {
      const clean = composed(text.replace(directionControl, ''))
      // A few letters are longer in NFC. A reply with a text beyond its limit could not be read.
      return clean.length > most ? text : clean
    }),
    z.minLength(min),
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u),
  )

/** Lines that a service or an extension reports, in at most `most` code units. Never rejected for its characters. */
// @__NO_SIDE_EFFECTS__
export const reportText = (most: number) =>
  z.string().check(
    z.maxLength(most, { abort: true }),
    z.overwrite((text) => reportFrom(text, most)),
  )

const digit = /\p{Nd}/u

/** Replaces the decimal digits of every script by ASCII digits: Arabic, Persian, Devanagari, full-width and others. */
export const asciiDigits = (text: string): string =>
  text.replace(/[^\P{Nd}0-9]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    // The digits of a script are ten successive code points.
    let zero = code
    while (digit.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String((code - zero) % 10)
  })

/** Returns the digits of a typed numeric code in ASCII. The script and the separators of the input do not matter. */
export const digitsIn = (text: string): string => asciiDigits(normalized(text, 'NFKC')).replace(/\D/g, '')

/**
 * Returns a typed code of letters and digits in upper case, with `O` as 0, and `I` and `L` as 1: no code contains these
 * letters. Its separators remain.
 */
export const codeIn = (text: string): string =>
  asciiDigits(normalized(text, 'NFKC')).toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1')

/** Returns a typed number: digits of any script, with a decimal point or comma. NaN for any other text. */
export function numberIn(text: string): number {
  const number = asciiDigits(normalized(text, 'NFKC'))
    .replace(directionMark, '')
    .trim()
    .replace(/[,\u066b]/, '.')
    .replace(/^\u2212/, '-')
  return number === '' ? Number.NaN : Number(number)
}

/** Letters with a stroke, which Unicode does not decompose. */
const strokes: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd' }

/**
 * Folds a text for searches without case and accents, in the same way in every language: `STRASSE` and `Straße`,
 * `zurich` and `Zürich`, `ΟΔΟΣ` and `οδος`, `İstanbul` and `istanbul` are equal. The function `fold` of the database
 * does the same (decision record 259).
 */
export const foldCase = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : composed(normalized(text, 'NFD').replace(/[\u0300-\u036f]/g, ''))
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .replace(/[łøđ]/g, (letter) => strokes[letter] ?? letter)
