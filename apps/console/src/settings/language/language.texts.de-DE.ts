import type { texts } from './language.texts.ts'

export const deDE: typeof texts = {
  title: 'Sprache',
  description: 'Die Sprache der Konsole in jedem Browser, in dem Sie sich anmelden.',
  descriptions: {
    de: 'Wie das Produkt geliefert wird: meist Englisch, teils Deutsch',
    en: 'Durchgehend Englisch',
    'de-DE': 'Durchgehend Deutsch',
  },
}
