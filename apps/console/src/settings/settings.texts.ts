import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('settings', {
  title: 'Settings',
  appearance: 'Appearance',
  language: 'Language',
  notifications: 'Notifications',
  streamDecks: 'Stream Decks',
  loadingFailed: 'Your settings could not be loaded',
  savingFailed: 'Your settings could not be saved',
})
