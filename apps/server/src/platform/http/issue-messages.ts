import type { Language } from '../language.ts'

/** A rejected field as reported by zod. */
export interface RefusedField {
  code?: string | undefined
  minimum?: unknown
  maximum?: unknown
  origin?: string | undefined
}

/** The contract's messages for single fields that appear on a screen. */
const german: Readonly<Record<string, string>> = {
  'Must not be empty': 'Darf nicht leer sein',
  'Must not contain control characters or hidden characters':
    'Darf keine Steuerzeichen und keine verborgenen Zeichen enthalten',
  'Must not contain a comma': 'Darf kein Komma enthalten',
  'Must be a colour such as #444 or #0b6470': 'Bitte geben Sie eine Farbe wie #444 oder #0b6470 ein',
  'Please enter an OTP': 'Bitte geben Sie ein Einmalpasswort ein',
  'Must be letters, digits and . _ : -': 'Nur Buchstaben, Ziffern und . _ : - sind erlaubt',
  'Must be a serial number': 'Bitte geben Sie eine Seriennummer ein',
  'Must be a path of this console': 'Bitte geben Sie einen Pfad dieser Konsole ein',
}

/** The message for a field. The default language uses the contract's message. */
export function issueMessage(message: string, field: RefusedField, language: Language): string {
  if (language !== 'de-DE') return message === '' ? 'Not valid' : message
  return knownInGerman(message) ?? inGerman(field)
}

/** The message of an issue that the server itself has found. Messages for programs are in English only. */
export const ownIssueMessage = (message: string, language: Language): string =>
  (language === 'de-DE' ? knownInGerman(message) : undefined) ?? message

const knownInGerman = (message: string) => german[message] ?? germanWithNumber(message)

/** The rules of `text.ts` with a number. */
const withNumber: readonly (readonly [RegExp, (number: string) => string])[] = [
  [/^Must have at least (\d+) characters$/, (min) => `Mindestens ${min} Zeichen`],
  [/^Must have at most (\d+) characters$/, (most) => `Höchstens ${most} Zeichen`],
  [
    /^Must not have more than (\d+) marks on one letter$/,
    (most) => `Darf nicht mehr als ${most} Akzente auf einem Buchstaben haben`,
  ],
]

function germanWithNumber(message: string): string | undefined {
  for (const [pattern, sentence] of withNumber) {
    const number = pattern.exec(message)?.[1]
    if (number !== undefined) return sentence(number)
  }
  return undefined
}

function inGerman({ code, minimum, maximum, origin }: RefusedField): string {
  const unit = origin === 'string' ? ' Zeichen' : ''
  if (code === 'too_small') return `Mindestens ${String(minimum)}${unit}`
  if (code === 'too_big') return `Höchstens ${String(maximum)}${unit}`
  if (code === 'unrecognized_keys') return 'Dieses Feld ist nicht bekannt'
  return 'Nicht gültig'
}
