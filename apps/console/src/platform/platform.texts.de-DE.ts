import type { texts } from './platform.texts.ts'

export const deDE: typeof texts = {
  version: (version: string) => `Version ${version}`,
  language: 'Sprache',
  languageNotLoaded: 'Ihre Sprache konnte nicht geladen werden',
  network: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung',
  unreadable: 'Unerwartete Antwort des Servers. Laden Sie die Seite neu',
  sessionEnded: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an',
}
