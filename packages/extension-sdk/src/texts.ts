import { useLocale } from './hooks.ts'

/**
 * Texts by language. Every language has all of them; `de`, the console's default, is the one that others fall back to. The
 * console speaks `de`, `en` and `de-DE`.
 */
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
 * {@link useTexts} where there is no component: the language of a page stays what it is until it is loaded anew.
 *
 * @example export const texts = textsOf({ de: { greet: 'Hallo' }, en: { greet: 'Hello' } })
 */
export function textsOf<Texts>(catalogues: Catalogues<Texts>): Texts {
  return textsFor(document.documentElement.lang, catalogues)
}

/**
 * {@link useTexts} in a language of one's choice.
 *
 * @example textsFor('en-GB', catalogues).greet('Ada')
 */
export function textsFor<Texts>(locale: string, catalogues: Catalogues<Texts>): Texts {
  const [language = ''] = locale.split('-')
  return catalogues[locale] ?? catalogues[language] ?? catalogues.de
}
