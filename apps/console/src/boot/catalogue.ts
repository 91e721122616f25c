import { locale, speak, speakDefault } from '#platform/locale.ts'

const file =
  locale === 'en'
    ? import('./catalogues/en.ts')
    : locale === 'de-DE'
      ? import('./catalogues/de-DE.ts')
      : undefined

/** Resolves when the texts of the page's language have loaded. Nothing is shown before. Never rejects. */
export const spoken = Promise.resolve(file?.then(({ catalogue }) => speak(catalogue), speakDefault))
