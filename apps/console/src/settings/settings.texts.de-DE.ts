import type { texts } from './settings.texts.ts'

export const deDE: typeof texts = {
  title: 'Einstellungen',
  appearance: 'Erscheinungsbild',
  language: 'Sprache',
  notifications: 'Benachrichtigungen',
  streamDecks: 'Stream Decks',
  loadingFailed: 'Ihre Einstellungen konnten nicht geladen werden',
  savingFailed: 'Ihre Einstellungen konnten nicht gespeichert werden',
}
