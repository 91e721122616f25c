export const defaultLocale = 'de'

/** Returns the locale of dates and numbers. The console's English is British, in which 11/12 is in December. */
export const writtenLocale = (locale: string) => (locale === 'en' ? 'en-GB' : locale)

/** Returns the language of the page, which changes only with a reload. */
export const pageLocale = () => globalThis.document?.documentElement.lang || defaultLocale
