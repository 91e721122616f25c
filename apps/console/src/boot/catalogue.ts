import { applyCatalogue, applyDefaultLanguage, locale } from '#platform/locale.ts'

const file =
  locale === 'en'
    ? import('./catalogues/en.ts')
    : locale === 'de-DE'
      ? import('./catalogues/de-DE.ts')
      : undefined

/** Resolves when the texts of the page's language have loaded. Nothing is shown before. Never rejects. */
export const languageLoaded = Promise.resolve(
  file?.then(({ catalogue }) => applyCatalogue(catalogue), applyDefaultLanguage),
)
