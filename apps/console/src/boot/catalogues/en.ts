import { catalogueOf } from './catalogue-of.ts'

/**
 * The texts in which English differs from the default, by room. The file loads as a whole, and only for this language.
 */
export const catalogue = catalogueOf(
  import.meta.glob<object>(
    [
      '../../**/*.texts.en.ts',
      '!../../platform/desk/*',
      '!../../platform/access/*',
      '!../../platform/open-jobs/*',
    ],
    {
      eager: true,
      import: 'en',
    },
  ),
)
