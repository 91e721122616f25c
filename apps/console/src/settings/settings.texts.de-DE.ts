import type { texts } from './settings.texts.ts'

export const deDE: typeof texts = {
  apps: 'Apps',
  settingsOf: (label: string) => `Einstellungen von ${label}`,
  appsFailed: 'Die Einstellungen der Apps konnten nicht geladen werden',
  noAppSettings: 'Keine App hat Einstellungen für Sie',
  loadingFailed: 'Ihre Einstellungen konnten nicht geladen werden',
  savingFailed: 'Ihre Einstellungen konnten nicht gespeichert werden',
}
