import { locale, speak, speakDefault } from '#platform/locale.ts'

const catalogue =
  locale === 'en'
    ? import('./catalogues/en.ts')
    : locale === 'de-DE'
      ? import('./catalogues/de-DE.ts')
      : undefined

/** Resolves when the texts of the page's language have loaded. Nothing is shown before. Never rejects. */
export const spoken = Promise.resolve(catalogue?.then(speak, speakDefault))
