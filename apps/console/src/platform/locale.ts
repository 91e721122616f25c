/**
 * The languages of the console with their native names. `de` is the default: its catalogue holds the specification's
 * literal texts, German or English and including misspellings. `en` and `de-DE` are corrected.
 */
export const languageNames = { de: 'Standard', en: 'English', 'de-DE': 'Deutsch' }
export type Locale = keyof typeof languageNames

/** The language of this page, set by `first.js` from the stored choice. Changing the language reloads the page. */
export let locale = (globalThis.document?.documentElement.lang ?? 'de') as Locale

/**
 * The `Accept-Language` of the console's requests. `de` in that header means German (DEC-28), so `*` requests the
 * default catalogue.
 */
export const acceptLanguage = () => (locale === 'de' ? '*' : locale)

/** `lang` of the specification's German texts in the default catalogue, which is otherwise English. */
export const langOfGerman = () => (locale === 'de' ? 'de' : undefined)

/** The texts of one language by room. Texts missing in English fall back to the default. */
type Catalogue = Readonly<Record<string, object>>

const rooms: Record<string, object> = {}
let current: Catalogue = {}

/**
 * Declares the texts of a room in the default language. They change to the page's language once its catalogue has
 * loaded, before the first paint and before any code but the login's loads. Each room's texts are beside its code, so
 * that a page loads only its own. `<room>.texts.de-DE.ts` translates all of them, and `<room>.texts.en.ts` contains
 * those that differ in English. `boot/catalogues` collects both.
 *
 * @example export const texts = textsOf('login', { title: 'Login', version: (version: string) => `Version ${version}` })
 */
export function textsOf<Texts extends object>(room: string, texts: Texts): Texts {
  rooms[room] = texts
  replace(texts, current[room])
  return texts
}

/** The groups of texts in the default language, by the groups that a catalogue has replaced. */
const defaults = new WeakMap<object, object>()

/** Returns a group of texts in the default language, most of which is English. */
export const defaultsOf = <Texts extends object>(texts: Texts): Texts =>
  (defaults.get(texts) ?? texts) as Texts

/** Replaces texts in place, group by group, because a catalogue may contain only some of them. */
function replace(texts: object, others: object = {}): void {
  defaults.set(texts, { ...texts })
  for (const [name, other] of Object.entries(others)) {
    const text: unknown = Reflect.get(texts, name)
    if (typeof text === 'object' && text !== null) replace(text, other as object)
    else Reflect.set(texts, name, other)
  }
}

/** Changes the language of all texts, including those of rooms that load later. */
export function applyCatalogue(catalogue: Catalogue): void {
  current = catalogue
  for (const [room, texts] of Object.entries(rooms)) replace(texts, catalogue[room])
  // The document itself and most of the default catalogue are in English.
  document.body.lang = locale
}

/** True when the catalogue failed to load. The page then reports it and uses the default language. */
export let isCatalogueMissing = false

export function applyDefaultLanguage(): void {
  isCatalogueMissing = true
  locale = 'de'
  document.documentElement.lang = locale
}
