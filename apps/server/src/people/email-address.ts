import { domainToASCII } from 'node:url'
import { limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'

// RFC 5321 addr-spec in its common form: a dot-atom or UTF-8 local part, without quotes, comments, groups or lists.
const addrSpec =
  /^[^\s"(),.:;<>@[\\\]\p{C}]+(?:\.[^\s"(),.:;<>@[\\\]\p{C}]+)*@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u

/** Returns whether a text is exactly one address, without a name, a second address or a line end. */
export function isEmailAddress(text: string): boolean {
  return text.length <= limits.emailMax && addrSpec.test(text)
}

export function parseEmailAddress(text: string): string {
  const address = text.trim().normalize('NFC')
  // Compatibility normalisation can change the characters: the canonical form must be an address as well.
  if (!isEmailAddress(address) || !isEmailAddress(emailKey(address))) {
    throw new AppError('VALIDATION_FAILED', {
      message: {
        de: 'This is not a valid e-mail address',
        'de-DE': 'Das ist keine gültige E-Mail-Adresse',
      },
      issues: [{ path: ['email'], message: 'This is not a valid e-mail address' }],
    })
  }
  return address
}

/**
 * Returns the form in which addresses are compared. Users do not remember the case, and an internationalised domain
 * has two spellings (`bücher.example`, `xn--bcher-kva.example`) for the same mailbox.
 */
export function emailKey(address: string): string {
  const key = address.trim().normalize('NFKC').toLowerCase()
  const at = key.lastIndexOf('@')
  const domain = domainToASCII(key.slice(at + 1))
  return at < 0 || domain === '' ? key : `${key.slice(0, at)}@${domain}`
}
