import type { texts } from './platform.texts.ts'

export const deDE: typeof texts = {
  version: (version: string) => `Version ${version}`,
  language: 'Sprache',
  languageNotLoaded: 'Ihre Sprache konnte nicht geladen werden',
  network: 'Der Server ist nicht erreichbar. Bitte prüfen Sie Ihre Verbindung',
  unreadable: 'Die Antwort des Servers ist für diese Seite unverständlich. Bitte laden Sie die Seite neu',
  sessionEnded: 'Ihre Sitzung ist beendet. Bitte melden Sie sich erneut an',
}
