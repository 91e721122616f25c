import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('language', {
  title: 'Language',
  description: 'The language of the console, in every browser you use.',
  descriptions: {
    de: 'The product’s default: mostly English, partly German',
    en: 'English throughout',
    'de-DE': 'German throughout',
  },
})
