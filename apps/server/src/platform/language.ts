import type { Language } from '@pult/contract'

export type { Language }

/** A server text in all catalogues. `de` is the default, and `en` contains overrides of it. */
export interface Sentence {
  de: string
  en?: string
  'de-DE': string
}

/**
 * Returns the catalogue for an `Accept-Language` header: that of the first supported language. `de` and its regions
 * select German (DEC-28), because browsers of German readers send them. A header without a supported language, such
 * as `*`, selects the default catalogue.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  for (const range of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const language = /^\s*(de|en)\s*(?:[-;]|$)/.exec(range)?.[1]
    if (language !== undefined) return language === 'de' ? 'de-DE' : 'en'
  }
  return 'de'
}

/** Returns the text in a catalogue, or the default. */
export const textIn = (sentence: Sentence, language: Language): string => sentence[language] ?? sentence.de
