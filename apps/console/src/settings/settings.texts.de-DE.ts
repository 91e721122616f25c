import type { texts } from './settings.texts.ts'

export const deDE: typeof texts = {
  title: 'Einstellungen',
  appearance: 'Erscheinungsbild',
  language: 'Sprache',
  notifications: 'Benachrichtigungen',
  apps: 'Apps',
  settingsOf: (label: string) => `Einstellungen von ${label}`,
  appsFailed: 'Die Einstellungen der Apps konnten nicht geladen werden',
  noAppSettings: 'Keine App hat Einstellungen für Sie',
  streamDecks: 'Stream Decks',
  loadingFailed: 'Ihre Einstellungen konnten nicht geladen werden',
  savingFailed: 'Ihre Einstellungen konnten nicht gespeichert werden',
  words: {
    appearance: 'farben dichte kompakt dunkel design',
    language: 'deutsch englisch english',
    notifications: 'meldungen hinweise',
    streamDecks: 'tasten helligkeit hintergrund gerät',
  },
}
