import type { texts } from './platform.texts.ts'

export const deDE: typeof texts = {
  version: (version: string) => `Version ${version}`,
  language: 'Sprache',
  languageNotLoaded: 'Ihre Sprache konnte nicht geladen werden',
  network: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung',
  unreadable: 'Unerwartete Antwort des Servers. Laden Sie die Seite neu',
  unreachable:
    'Der Server ist im Moment nicht erreichbar. Versuchen Sie es erneut, oder fragen Sie den Betreiber',
  proxySignIn: 'Ihre Sitzung beim Proxy ist beendet. Laden Sie die Seite neu, um sich dort anzumelden',
  proxyTooLarge:
    'Ein Proxy vor Pult lehnt Dateien und Anfragen dieser Größe ab. Der Betreiber kann die Grenze erhöhen',
  proxyBusy: 'Ein Proxy vor Pult begrenzt die Zahl der Anfragen. Versuchen Sie es gleich noch einmal',
  proxyRefused:
    'Ein Proxy vor Pult lehnt diese Anfrage ab. Laden Sie die Seite neu, oder fragen Sie den Betreiber',
  reloadPage: 'Seite neu laden',
  sessionEnded: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an',
}
