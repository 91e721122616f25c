import { limits } from '@pult/contract'
import { texts } from './token-links.texts.ts'

/** A password and the same once more. */
export interface NewPassword {
  password: string
  confirmation: string
}

/** As the server counts: a character outside the basic plane is one. */
export function lengthOf(text: string): number {
  return [...text].length
}

const isLongEnough = (password: string) =>
  lengthOf(password) >= limits.newPasswordMin || texts.passwordTooShort

/** What both fields ask for, as `react-hook-form` takes it. */
export const newPasswordRules = {
  password: { validate: isLongEnough, deps: ['confirmation' as const] },
  confirmation: {
    validate: {
      length: isLongEnough,
      equal: (confirmation: string, { password }: NewPassword) =>
        confirmation === password || texts.passwordsDiffer,
    },
  },
}
