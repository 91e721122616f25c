import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('settings', {
  title: 'Settings',
  appearance: 'Appearance',
  language: 'Language',
  notifications: 'Notifications',
  apps: 'Apps',
  settingsOf: (label: string) => `Settings of ${label}`,
  appsFailed: 'The settings of apps could not be loaded',
  noAppSettings: 'No app has settings for you',
  streamDecks: 'Stream Decks',
  loadingFailed: 'Your settings could not be loaded',
  savingFailed: 'Your settings could not be saved',
  /** Keywords for the palette. */
  words: {
    appearance: 'theme colours density compact dark mode',
    language: 'german english deutsch',
    notifications: 'messages toasts',
    streamDecks: 'keys brightness wallpaper device',
  },
})
