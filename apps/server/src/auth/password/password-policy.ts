import { type CommonPasswordReason, limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Sentence } from '#platform/language.ts'
import { commonnessOf, fold } from './common-passwords.ts'

/** The owner of a new password. Attackers try the owner's own words first. */
export interface PasswordOwner {
  firstname: string
  lastname: string
  emails: readonly string[]
}

const productWord = 'pult'

const messages: Record<CommonPasswordReason, Sentence> = {
  list: {
    de: 'This password, with or without its digits and signs, is on lists of common passwords. Use three or four unrelated words',
    'de-DE':
      'Dieses Passwort steht, mit oder ohne seine Ziffern und Zeichen, auf Listen häufiger Passwörter. Verwenden Sie drei oder vier Wörter, die nicht zusammengehören',
  },
  pattern: {
    de: 'This password is a date, a series or a repetition. Use three or four unrelated words',
    'de-DE':
      'Dieses Passwort ist ein Datum, eine Reihe oder eine Wiederholung. Verwenden Sie drei oder vier Wörter, die nicht zusammengehören',
  },
  own: {
    de: 'This password consists of your name, your e-mail address or the name of the product. Use three or four unrelated words',
    'de-DE':
      'Dieses Passwort besteht aus Ihrem Namen, Ihrer E-Mail-Adresse oder dem Namen des Produkts. Verwenden Sie drei oder vier Wörter, die nicht zusammengehören',
  },
}

/** Returns whether the password consists only of words of the product and the person, with digits and punctuation. */
function isOwnWords(password: string, { firstname, lastname, emails }: PasswordOwner): boolean {
  const words = [productWord, firstname, lastname, ...emails]
    .flatMap((text) => fold(text).split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length > 1 && /\p{L}/u.test(word))
    .toSorted((a, b) => b.length - a.length)
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password)
  return rest !== password && !/\p{L}/u.test(rest)
}

/**
 * Rejects a password that must not be chosen. Registration, reset and change share this function. A sign-in does not use
 * it, so passwords chosen under an older policy still work.
 */
export function checkNewPassword(password: string, owner: PasswordOwner): void {
  if (Buffer.byteLength(password) > limits.passwordMaxBytes) throw new AppError('PASSWORD_TOO_LONG')
  const { length } = [...password.normalize('NFKC')]
  if (length < limits.newPasswordMin) throw new AppError('PASSWORD_TOO_SHORT')
  if (length > limits.newPasswordMax) throw new AppError('PASSWORD_TOO_LONG')

  const folded = fold(password)
  const reason = commonnessOf(folded) ?? (isOwnWords(folded, owner) ? 'own' : undefined)
  if (reason !== undefined) {
    throw new AppError('PASSWORD_TOO_COMMON', { data: { reason }, message: messages[reason] })
  }
}
