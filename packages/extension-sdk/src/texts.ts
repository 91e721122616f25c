import { useLocale } from './hooks.ts'

/** Texts by language. Every language has all of them; `de` is the one that others fall back to. */
export type Catalogues<Texts> = { de: Texts } & Partial<Record<string, Texts>>

/**
 * The texts in the language of the console: the exact one (`en-GB`), else its language (`en`), else `de`.
 *
 * @example
 * const catalogues = { de: { greet: (name: string) => `Hallo ${name}` }, en: { greet: (name: string) => `Hello ${name}` } }
 * const texts = useTexts(catalogues)
 */
export function useTexts<Texts>(catalogues: Catalogues<Texts>): Texts {
  return textsFor(useLocale(), catalogues)
}

/**
 * {@link useTexts} outside of components.
 *
 * @example textsFor('en-GB', catalogues).greet('Ada')
 */
export function textsFor<Texts>(locale: string, catalogues: Catalogues<Texts>): Texts {
  const [language = ''] = locale.split('-')
  return catalogues[locale] ?? catalogues[language] ?? catalogues.de
}
