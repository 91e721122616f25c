/**
 * The languages that the console speaks, and what they call themselves. `de` is the default: its catalogue is the specification to the letter, German
 * where that is German, English where it is not, misspellings included. `en` and `de-DE` are corrected.
 */
export const languageNames = { de: 'Standard', en: 'English', 'de-DE': 'Deutsch' }
export type Locale = keyof typeof languageNames

export const isLocale = (language: unknown): language is Locale =>
  typeof language === 'string' && Object.hasOwn(languageNames, language)

/** Of this page, as `first.js` found it in the browser. Another choice takes effect by loading the page anew. */
export let locale = (globalThis.document?.documentElement.lang ?? 'de') as Locale

/** `lang` of what the specification says in German where the rest of the default catalogue is English. */
export const langOfGerman = () => (locale === 'de' ? 'de' : undefined)

/** The texts of one language, by room. */
type Catalogue = Readonly<Record<string, object>>

const rooms: Record<string, object> = {}
let spoken: Catalogue = {}

/**
 * The texts of a room, in the default language where they are declared, and in another one once its catalogue is there:
 * that comes before anything is shown, and before any other code than that of the login is loaded. Each room keeps them
 * beside its code, so that a page loads only its own, and those of another language in `<room>.texts.en.ts` and
 * `<room>.texts.de-DE.ts`, which `boot/catalogues` collects.
 *
 * @example export const texts = textsOf('login', { title: 'Login', version: (version: string) => `Version ${version}` })
 */
export function textsOf<Texts extends object>(room: string, texts: Texts): Texts {
  rooms[room] = texts
  return Object.assign(texts, spoken[room])
}

/** Says everything in the language of the page from now on. */
export function speak(catalogue: Catalogue): void {
  spoken = catalogue
  for (const room in rooms) Object.assign(rooms[room] ?? {}, catalogue[room])
  // The document's own words are English, and so are most of the default catalogue.
  document.body.lang = locale
}

/** The catalogue of the page's language did not come: the page says so and speaks the default one. */
export let isCatalogueMissing = false

export function speakDefault(): void {
  isCatalogueMissing = true
  locale = 'de'
  document.documentElement.lang = locale
}
