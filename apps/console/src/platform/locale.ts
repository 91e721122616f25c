/** The languages the console speaks; the first is the default. Each has a catalogue in every `*.texts.ts`. */
export const locales = ['de'] as const
export type Locale = (typeof locales)[number]

export const locale: Locale = locales[0]

/**
 * The catalogue in the person's language. Each room keeps its texts beside its code, so that a page loads only its own:
 *
 * @example export const texts = textsOf({ de: { title: 'Login', version: (version: string) => `Version ${version}` } })
 */
export function textsOf<Texts>(catalogues: Record<Locale, Texts>): Texts {
  return catalogues[locale]
}
