import { useLocale } from './hooks.ts'

/** The default texts that a language replaces. */
export type TextOverrides<Texts> = {
  [Name in keyof Texts]?: Texts[Name] extends string | readonly unknown[] | ((...values: never[]) => unknown)
    ? Texts[Name]
    : TextOverrides<Texts[Name]>
}

/**
 * Texts by language. `de` is the console's default and has all texts: the specification's words, most of them English.
 * `en` contains only the texts that need other English words. `de-DE` translates all of them.
 */
export interface Catalogues<Texts> {
  de: Texts
  en?: TextOverrides<NoInfer<Texts>>
  'de-DE'?: NoInfer<Texts>
}

/**
 * Returns the texts in the language of the console: `de-DE`, `en` (its texts over those of `de`), or else `de`.
 *
 * @example
 * const catalogues = {
 *   de: { greet: (name: string) => `Hello ${name}` },
 *   'de-DE': { greet: (name: string) => `Hallo ${name}` },
 * }
 * const texts = useTexts(catalogues)
 */
export function useTexts<Texts>(catalogues: Catalogues<Texts>): Texts {
  return textsFor(useLocale(), catalogues)
}

/**
 * Returns the texts like {@link useTexts}, outside of components. The language of a page changes only with a reload.
 *
 * @example export const texts = textsOf({ de: { greet: 'Hello' }, 'de-DE': { greet: 'Hallo' } })
 */
export function textsOf<Texts>(catalogues: Catalogues<Texts>): Texts {
  return textsFor(document.documentElement.lang, catalogues)
}

/**
 * Returns the texts like {@link useTexts}, in a given language.
 *
 * @example textsFor('en-GB', catalogues).greet('Ada')
 */
export function textsFor<Texts>(locale: string, catalogues: Catalogues<Texts>): Texts {
  if (locale === 'de-DE') return catalogues['de-DE'] ?? catalogues.de
  return locale.split('-')[0] === 'en' ? inEnglish(catalogues) : catalogues.de
}

const merged = new WeakMap<object, object>()

/** Merges each catalogue once, so that all renders get the same object. */
function inEnglish<Texts>({ de, en }: Catalogues<Texts>): Texts {
  if (en === undefined) return de
  const texts = merged.get(en) ?? merge(de as object, en)
  merged.set(en, texts)
  return texts as Texts
}

const merge = (texts: object, overrides: object): object =>
  Object.fromEntries(
    Object.entries({ ...texts, ...overrides }).map(([name, value]: [string, unknown]) => {
      const text: unknown = Reflect.get(texts, name)
      const isGroup = typeof text === 'object' && text !== null && !Array.isArray(text)
      return [name, isGroup ? merge(text, value as object) : value]
    }),
  )
