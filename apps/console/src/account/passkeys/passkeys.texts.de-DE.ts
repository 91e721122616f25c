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
    'Ihr Gerät oder Ihr Passwortmanager speichert den Passkey für Sie. Er ersetzt Passwort und Einmalpasswort, lässt sich nicht erraten und gilt nur für diese Website.',
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
  deviceLabelHint: 'So steht es in der Liste. Mindestens 3 Zeichen.',
  deviceLabelExample: (browser: string, system: string) => `${browser} auf ${system}`,
  deviceLabelFallback: 'Mein Gerät',
  register: 'Passkey registrieren',
  follow: 'Folgen Sie den Anweisungen Ihres Browsers.',
  continue: 'Weiter',
  oneMorePress: 'Drücken Sie die Schaltfläche noch einmal, um fortzufahren.',
  added: 'Passkey hinzugefügt',
  addedAlready: 'Dieses Gerät hat bereits einen Passkey für Ihr Konto',
  notFinished:
    'Es wurde nichts hinzugefügt: Der Vorgang wurde abgebrochen, hat zu lange gedauert, oder das Gerät hat Sie nicht erkannt',
  notAble:
    'Dieses Gerät kann keinen Passkey speichern. Richten Sie darauf zuerst Fingerabdruck, Gesicht oder PIN ein',
  wrongAddress: (host: string) => `Unter der Adresse ${host} lässt der Browser keine Passkeys zu`,
  failed:
    'Der Passkey konnte nicht erstellt werden. Versuchen Sie es erneut oder verwenden Sie ein anderes Gerät',
  obstacles: {
    insecure: {
      title: 'Passkeys brauchen https',
      text: (origin: string) =>
        `Diese Seite wurde unter ${origin} geöffnet, und Browser bieten Passkeys nur auf verschlüsselten Seiten an. Fragen Sie den Betreiber dieser Installation nach der https-Adresse.`,
    },
    'no-host-name': {
      title: 'Passkeys brauchen einen Hostnamen',
      text: (origin: string) =>
        `Diese Seite wurde unter ${origin} geöffnet, und Browser bieten unter einer IP-Adresse keine Passkeys an. Fragen Sie den Betreiber dieser Installation nach einer https-Adresse mit Hostnamen.`,
    },
    unsupported: {
      title: 'Dieser Browser unterstützt keine Passkeys',
      text: () =>
        'Öffnen Sie diese Seite in einer aktuellen Version von Chrome, Edge, Firefox oder Safari, um einen Passkey zu registrieren.',
    },
  },
}
