import { locale, speak, speakDefault } from '#platform/locale.ts'

const catalogue =
  locale === 'en'
    ? import('./catalogues/en.ts')
    : locale === 'de-DE'
      ? import('./catalogues/de-DE.ts')
      : undefined

/** Settled when the language of the page is spoken: nothing is shown before. It never fails. */
export const spoken = Promise.resolve(catalogue?.then(speak, speakDefault))
