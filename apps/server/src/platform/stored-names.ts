import type { nameText } from '@pult/contract'
import { AppError } from './app-error.ts'

interface NewNames {
  /** The names that are stored and stay as they are: those of earlier releases can contain hidden characters. */
  stored: readonly string[]
  /** The rule for all others. */
  rule: ReturnType<typeof nameText>
  /** Place of the list in the body of the call. */
  path: readonly string[]
}

/**
 * Returns the names of a list that replaces a stored one, without repeats.
 *
 * @throws {AppError} VALIDATION_FAILED with the places of new names that violate the rule.
 */
export function namesToStore(given: readonly string[], { stored, rule, path }: NewNames): string[] {
  const known = new Set(stored)
  const issues: { path: string[]; message: string }[] = []
  const names = given.map((name, index) => {
    if (known.has(name)) return name
    const { data = '', error } = rule.safeParse(name)
    for (const { message } of error?.issues ?? []) issues.push({ path: [...path, String(index)], message })
    return data
  })
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { issues })
  return [...new Set(names)]
}
