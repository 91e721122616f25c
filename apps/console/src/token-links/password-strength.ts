import { limits } from '@pult/contract'

export const strengths = ['weak', 'fair', 'good', 'strong'] as const
export type Strength = (typeof strengths)[number]

/** Character sets and their sizes. */
const sets: [RegExp, number][] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{N}/u, 10],
  [/[^\p{L}\p{N}]/u, 33],
]

/** Minimum bits of a fair, a good and a strong password. */
const steps = [40, 60, 80]

/**
 * Estimates a password's strength while it is typed; null below the minimum length. Repeated characters count half, and
 * the person's own words and single words with a suffix are weak. The server decides which passwords are too common.
 */
export function strengthOf(password: string, ownWords: readonly string[]): Strength | null {
  const characters = [...password]
  if (characters.length < limits.newPasswordMin) return null
  const rest = ownWords
    .flatMap((words) => words.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length > 2)
    .reduce((text, word) => text.replaceAll(word, ''), password.toLowerCase())
  const isWord = /^\p{L}*[^\p{L}]*$/u.test(rest) && rest.length < 16
  if (isWord) return 'weak'
  const distinct = new Set(rest).size
  const length = distinct + (rest.length - distinct) / 2
  const pool = sets.reduce((sum, [set, size]) => sum + (set.test(password) ? size : 0), 0)
  const bits = length * Math.log2(pool)
  return strengths[steps.filter((step) => bits >= step).length] ?? 'strong'
}
