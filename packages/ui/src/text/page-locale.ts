export const defaultLocale = 'de'

/** The locale of dates and numbers: the console's English is British, in which 11/12 is in December. */
export const writtenLocale = (locale: string) => (locale === 'en' ? 'en-GB' : locale)

/** The language of the page; it changes only with a reload. */
export const pageLocale = () => globalThis.document?.documentElement.lang || defaultLocale
