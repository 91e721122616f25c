import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('settings', {
  apps: 'Apps',
  settingsOf: (label: string) => `Settings of ${label}`,
  appsFailed: 'The settings of apps could not be loaded',
  noAppSettings: 'No app has settings for you',
  loadingFailed: 'Your settings could not be loaded',
  savingFailed: 'Your settings could not be saved',
})
