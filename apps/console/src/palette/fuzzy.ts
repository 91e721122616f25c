import { foldCase } from '@pult/contract'

/** A searchable text. It is normalised once, so that ten thousand texts can be searched between two keystrokes. */
export interface Searchable {
  label: string
  /** Place in the original label of each character of `label`, if they differ. */
  places?: readonly number[]
  /** Keywords that match but are not shown. */
  words: string
  /** Bit set of the letters and digits in the text. A text that lacks one of the query is skipped without a search. */
  letters: number
}

/** A matched range of a label, from (included) to (excluded). */
export type Range = readonly [from: number, to: number]

export interface Match {
  /** Higher is better. */
  score: number
  ranges: readonly Range[]
}

export interface Query {
  terms: readonly string[]
  /** The terms as one text. */
  whole: string
  letters: number
}

/** More than that of a recent choice: who types a whole name means it. */
const equalBonus = 60

/** Without case and accents. */
export const fold = foldCase

/** Folds each character, because a folded text can have another length: `ß` becomes `ss`, and accents disappear. */
function foldedLabel(label: string): Pick<Searchable, 'label' | 'places'> {
  if (/^[ -~]*$/.test(label)) return { label: fold(label) }
  const parts = Array.from(label, (character) => ({ character, folded: fold(character) }))
  let at = 0
  const places = parts.flatMap(({ character, folded: { length } }) => {
    const here = at
    at += character.length
    return Array.from({ length }, () => here)
  })
  return { label: parts.map((part) => part.folded).join(''), places: [...places, label.length] }
}

function lettersOf(folded: string): number {
  let letters = 0
  for (let at = 0; at < folded.length; at += 1) {
    const code = folded.charCodeAt(at)
    if (code >= 97 && code <= 122) letters |= 1 << (code - 97)
    // The digits share the remaining bits.
    else if (code >= 48 && code <= 57) letters |= 1 << (26 + (code % 5))
  }
  return letters
}

export function searchable(label: string, words: readonly string[] = []): Searchable {
  const folded = foldedLabel(label)
  const others = fold(words.join(' '))
  return { ...folded, words: others, letters: lettersOf(folded.label) | lettersOf(others) }
}

export function parseQuery(text: string): Query {
  const folded = fold(text.trim())
  const terms = folded.split(/\s+/).filter((term) => term !== '')
  return { terms, whole: terms.join(' '), letters: lettersOf(folded) }
}

/** Matches if the text contains every term of the query, in any order. Returns null otherwise. */
export function match({ terms, whole, letters }: Query, text: Searchable): Match | null {
  if ((text.letters & letters) !== letters) return null
  let score = 0
  const ranges: Range[] = []
  for (const term of terms) {
    const found = matchTerm(term, text)
    if (found === null) return null
    score += found.score
    ranges.push(...found.ranges)
  }
  if (text.label === whole) score += equalBonus
  // Of two equal matches the shorter label wins.
  return { score: score - text.label.length / 100, ranges: inOriginal(joined(ranges), text) }
}

function inOriginal(ranges: readonly Range[], { places }: Searchable): readonly Range[] {
  if (places === undefined) return ranges
  // The end of a range is the next character that begins at another place.
  const endOf = (to: number) => places.find((place) => place > (places[to - 1] ?? 0)) ?? 0
  return ranges.map(([from, to]) => [places[from] ?? 0, endOf(to)])
}

function matchTerm(term: string, { label, words }: Searchable): Match | null {
  const at = wordStart(label, term)
  if (at !== -1) return { score: at === 0 ? 100 : 80, ranges: [[at, at + term.length]] }
  const inside = label.indexOf(term)
  if (inside !== -1) return { score: 50, ranges: [[inside, inside + term.length]] }
  if (wordStart(words, term) !== -1) return { score: 40, ranges: [] }
  const scattered = scatteredIn(label, term)
  if (scattered !== null) return scattered
  return words.includes(term) ? { score: 10, ranges: [] } : null
}

const isWordStart = (text: string, at: number) => at === 0 || isBetweenWords(text.charCodeAt(at - 1))

/** For folded text. Characters outside ASCII count as letters. */
const isBetweenWords = (code: number) => code < 48 || (code > 57 && code < 97) || (code > 122 && code < 128)

/** Returns the position of a word that starts with the term; -1 if there is none. */
function wordStart(text: string, term: string): number {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1))
    if (isWordStart(text, at)) return at
  return -1
}

/**
 * Matches the letters of the term in order, with gaps. Finds the earliest end, then shortens the match from the end.
 * Word starts and adjacent letters raise the score.
 */
function scatteredIn(label: string, term: string): Match | null {
  let end = -1
  for (const letter of term) {
    end = label.indexOf(letter, end + 1)
    if (end === -1) return null
  }
  const places: number[] = []
  let at = end
  for (let index = term.length - 1; index >= 0; index -= 1) {
    at = label.lastIndexOf(term[index] ?? '', at)
    places.unshift(at)
    at -= 1
  }
  const starts = places.filter((place) => isWordStart(label, place)).length
  const neighbours = places.filter((place, index) => places[index - 1] === place - 1).length
  const first = places[0] ?? 0
  // Letters scattered over a long text are not a useful match.
  if (starts + neighbours < 0.6 * term.length && end - first > 2 * term.length) return null
  return {
    score: Math.min(45, 12 + 6 * starts + 3 * neighbours - (end - first) / 8),
    ranges: joined(places.map((place) => [place, place + 1])),
  }
}

/** Sorts the ranges and merges adjacent ones. */
function joined(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}
