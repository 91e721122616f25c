import { type Language, languages } from '@pult/contract'

export type { Language }

/**
 * What the server says by itself. `de` is the default, as the contract and the specification have it; English says the
 * same unless it is corrected.
 */
export interface Sentence {
  de: string
  en?: string
  'de-DE': string
}

/** The first language that the caller asks for and that is spoken, as the console sends the person's choice. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const asked = (acceptLanguage ?? '').split(',').map((range) => range.split(';')[0]?.trim())
  const spoken = asked.map((range) => languages.find((language) => language === range) ?? closest(range))
  return spoken.find((language) => language !== undefined) ?? 'de'
}

/** `en-GB` is English. `de-AT` is better served in German than by the default, most of which is English. */
function closest(range: string | undefined): Language | undefined {
  if (range?.startsWith('en-') === true) return 'en'
  return range?.startsWith('de-') === true ? 'de-DE' : undefined
}

export const say = (sentence: Sentence, language: Language): string => sentence[language] ?? sentence.de
