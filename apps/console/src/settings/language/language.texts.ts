import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('language', {
  title: 'Language',
  description: 'What the console speaks, in every browser in which you sign in.',
  descriptions: {
    de: 'As this product comes: mostly English, in parts German',
    en: 'English throughout',
    'de-DE': 'German throughout',
  },
})
