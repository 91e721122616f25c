import type { texts } from './passkeys.texts.ts'

export const deDE: typeof texts = {
  title: 'Passkeys',
  description: 'Melden Sie sich mit Fingerabdruck, Gesicht oder PIN eines Geräts an, ganz ohne Passwort.',
  active: 'Aktive Geräte',
  label: 'Bezeichnung',
  authenticator: 'Authenticator',
  createdAt: 'Erstellt',
  lastUsed: 'Zuletzt verwendet',
  neverUsed: 'Nie',
  actions: 'Aktionen',
  loadingFailed: 'Ihre Passkeys konnten nicht geladen werden',
  retry: 'Erneut versuchen',
  none: 'Noch keine Passkeys',
  noneText:
    'Ein Passkey ist ein Schlüssel, den Ihr Gerät oder Ihr Passwortmanager für Sie aufbewahrt. Er ersetzt Passwort und Einmalpasswort, niemand kann ihn erraten, und er gilt nur für diese Website.',
  noneNext: 'Registrieren Sie unten Ihren ersten.',
  delete: (label: string) => `${label} löschen`,
  deleteQuestion: 'Wirklich löschen?',
  deleteText: (label: string) =>
    `Mit „${label}“ können Sie sich dann nicht mehr anmelden. Ihr Gerät bietet den Passkey womöglich weiter an, bis Sie ihn auch dort entfernen.`,
  confirmDelete: 'Löschen',
  cancel: 'Abbrechen',
  deleted: 'Passkey gelöscht',
  error: 'Fehler beim Passkey',
  registration: 'Gerät registrieren',
  deviceLabel: 'Bezeichnung des Geräts',
  deviceLabelHint: 'Daran erkennen Sie es in der Liste; mindestens 3 Zeichen.',
  deviceLabelExample: (browser: string, system: string) => `${browser} auf ${system}`,
  deviceLabelFallback: 'Mein Gerät',
  register: 'Passkey registrieren',
  follow: 'Ihr Browser fragt Sie jetzt. Bitte folgen Sie seinen Anweisungen.',
  continue: 'Weiter',
  oneMorePress: 'Ihr Browser möchte, dass Sie die Schaltfläche noch einmal drücken, bevor er fortfährt.',
  added: 'Passkey hinzugefügt',
  addedAlready: 'Auf diesem Gerät liegt schon ein Passkey Ihres Kontos',
  notFinished:
    'Es wurde nichts hinzugefügt: Der Vorgang wurde abgebrochen, hat zu lange gedauert, oder das Gerät hat Sie nicht erkannt',
  notAble:
    'Dieses Gerät kann keinen Passkey aufbewahren. Dafür muss zuerst ein Fingerabdruck, ein Gesicht oder eine PIN eingerichtet werden',
  wrongAddress: (host: string) => `Unter der Adresse ${host} lässt der Browser keine Passkeys zu`,
  failed:
    'Der Passkey konnte nicht erstellt werden. Bitte versuchen Sie es erneut oder nehmen Sie ein anderes Gerät',
  insecure: 'Passkeys brauchen https',
  insecureText: (origin: string) =>
    `Diese Seite wurde unter ${origin} geöffnet, und Browser bieten Passkeys nur auf verschlüsselten Seiten an. Bitte fragen Sie die Betreiber dieser Installation nach der https-Adresse.`,
  unsupported: 'Dieser Browser kennt keine Passkeys',
  unsupportedText:
    'Bitte öffnen Sie diese Seite in einer aktuellen Version von Chrome, Edge, Firefox oder Safari, um einen Passkey zu registrieren.',
}
