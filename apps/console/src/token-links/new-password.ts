import { limits } from '@pult/contract'
import type { Problems } from '@pult/sdk/resource'
import { ApiError } from '#platform/api-error.ts'
import { texts } from './token-links.texts.ts'

/** A password and its repetition. */
export type NewPassword = Record<'password' | 'confirmation', string>

/** Counts code points, as the server does. */
const isTooShort = (password: string) => [...password].length < limits.newPasswordMin

interface PasswordTexts {
  passwordRule: string
  passwordsDiffer: string
}

export const passwordProblems = (typed: NewPassword): Problems<NewPassword> =>
  passwordProblemsIn(typed, { ...texts, passwordRule: texts.passwordTooShort })

export function passwordProblemsIn(
  { password, confirmation }: NewPassword,
  words: PasswordTexts,
): Problems<NewPassword> {
  const problems: Problems<NewPassword> = {}
  if (isTooShort(password)) problems.password = words.passwordRule
  if (isTooShort(confirmation)) problems.confirmation = words.passwordRule
  else if (confirmation !== password) problems.confirmation = words.passwordsDiffer
  return problems
}

/** Shows an error about the password at its field. */
export function passwordRefusalOf(error: unknown): Problems<NewPassword> | undefined {
  if (!(error instanceof ApiError) || !error.code.startsWith('PASSWORD_')) return undefined
  return { password: error.message }
}
