import { charactersOf } from '../text/characters.ts'

/** Returns the first character of a label in upper case; empty for an empty label. */
export const initialOf = (label: string): string => (charactersOf(label.trim())[0] ?? '').toUpperCase()

/** Returns the initials of a person's name or e-mail address: first and last word, or the first two letters. */
export function initialsOf(name: string): string {
  const [local = ''] = name.trim().split('@')
  const words = local.split(/[\s._-]+/).filter((word) => word !== '')
  const [first = '', last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  const letters = charactersOf(first)
  const initials = last === undefined ? letters.slice(0, 2).join('') : `${letters[0]}${charactersOf(last)[0]}`
  return initials.toLocaleUpperCase()
}
