import type { texts } from './settings.texts.ts'

export const en: typeof texts = {
  title: 'Settings',
  appearance: 'Appearance',
  language: 'Language',
  notifications: 'Notifications',
  streamDecks: 'Stream Decks',
  loadingFailed: 'Your settings could not be loaded',
  savingFailed: 'Your settings could not be saved',
}
