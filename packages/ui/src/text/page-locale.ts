export const defaultLocale = 'de'

/** The language of the page, which lasts as long as the page. */
export const pageLocale = () => globalThis.document?.documentElement.lang || defaultLocale
