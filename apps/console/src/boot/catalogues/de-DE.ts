import { catalogueOf } from './catalogue-of.ts'

/** The texts of this language by room. The file loads as a whole, and only for this language. */
export const catalogue = catalogueOf(
  import.meta.glob<object>(
    [
      '../../**/*.texts.de-DE.ts',
      '!../../platform/desk/*',
      '!../../platform/access/*',
      '!../../platform/open-jobs/*',
    ],
    { eager: true, import: 'deDE' },
  ),
)
