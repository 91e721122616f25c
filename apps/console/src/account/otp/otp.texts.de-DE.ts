import type { texts } from './otp.texts.ts'

export const deDE: typeof texts = {
  title: 'Zwei-Faktor-Authentifizierung',
  description: 'Ein Einmalpasswort von Ihrem Telefon, zusätzlich zu Ihrem Passwort.',
  loadingFailed: 'Der Zustand der Zwei-Faktor-Authentifizierung konnte nicht geladen werden',
  retry: 'Erneut versuchen',
  off: 'Die Zwei-Faktor-Authentifizierung ist aus',
  offText:
    'Ist sie an, verlangt die Anmeldung mit Passwort auch einen Code aus einer App auf Ihrem Telefon. Das Passwort allein genügt dann nicht mehr.',
  enable: 'Einmalpasswort aktivieren',
  enabling: 'Ein Geheimnis wird erzeugt',
  setUp: 'Zwei-Faktor-Authentifizierung einrichten',
  nothingYet:
    'Noch ist nichts geändert. Die Zwei-Faktor-Authentifizierung wird erst aktiv, wenn Sie im letzten Schritt einen Code eingeben; bis dahin können Sie jederzeit abbrechen.',
  scan: 'QR-Code scannen',
  scanText:
    'Öffnen Sie auf Ihrem Telefon eine Authenticator-App, etwa Aegis, 2FAS oder Google Authenticator, und fügen Sie damit ein Konto hinzu.',
  qrCode: 'QR-Code des Geheimnisses',
  secret: 'Keine Kamera? Geben Sie dieses Geheimnis ein',
  copySecret: 'Geheimnis kopieren',
  copied: 'Kopiert',
  copyFailed: 'Kopieren fehlgeschlagen',
  openApp: 'In einer Authenticator-App öffnen',
  keep: 'Wiederherstellungscodes aufbewahren',
  keepText:
    'Mit ihnen melden Sie sich an, wenn Sie Ihr Telefon verloren haben. Jeder Code gilt einmal, und sie werden nur jetzt angezeigt. Bewahren Sie sie getrennt vom Telefon auf.',
  prove: 'Code aus der App eingeben',
  code: 'Code',
  codeMissing: 'Geben Sie ein Einmalpasswort ein',
  activate: 'Aktivieren',
  activating: 'Der Code wird geprüft',
  cancel: 'Abbrechen',
  activated: 'Einmalpasswort aktiviert',
  activatedText: 'Ihre anderen Sitzungen sind beendet.',
  activationError: 'Das Einmalpasswort konnte nicht aktiviert werden',
  on: 'Die Zwei-Faktor-Authentifizierung ist an',
  since: 'Seit',
  onText: 'Die Anmeldung mit Passwort verlangt auch einen Code aus Ihrem Authenticator.',
  recoveryCodes: 'Wiederherstellungscodes',
  codesLeft: (left: number, all: number) => `${left} von ${all} sind übrig.`,
  codesLeftText: 'Jeder Code ersetzt einmal Ihren Authenticator.',
  fewCodes: (left: number) =>
    left === 0
      ? 'Es ist kein Wiederherstellungscode mehr übrig'
      : left === 1
        ? 'Nur noch ein Wiederherstellungscode ist übrig'
        : `Nur noch ${left} Wiederherstellungscodes sind übrig`,
  fewCodesText:
    'Ohne sie können Sie sich nicht anmelden, wenn Sie Ihr Telefon verlieren. Erstellen Sie neue.',
  regenerate: 'Wiederherstellungscodes neu erstellen',
  regenerating: 'Wiederherstellungscodes werden erstellt',
  regenerateQuestion: 'Wiederherstellungscodes neu erstellen?',
  regenerateText: 'Sie erhalten zehn neue. Die bisherigen verlieren sofort ihre Gültigkeit.',
  confirmRegenerate: 'Neu erstellen',
  regenerationError: 'Fehler bei den Wiederherstellungscodes',
  newCodes: 'Ihre neuen Wiederherstellungscodes',
  newCodesWarning:
    'Bewahren Sie sie sicher auf. Sie werden nur jetzt angezeigt, und die alten gelten nicht mehr.',
  done: 'Fertig',
  disable: 'Zwei-Faktor-Authentifizierung deaktivieren',
  disabling: 'Die Zwei-Faktor-Authentifizierung wird ausgeschaltet',
  disableQuestion: 'Zwei-Faktor-Authentifizierung deaktivieren?',
  disableWarning:
    'Danach genügt Ihr Passwort allein zur Anmeldung. Der Eintrag in Ihrem Authenticator und Ihre Wiederherstellungscodes gelten nicht mehr, und Sie werden überall sonst abgemeldet.',
  confirmDisable: 'Deaktivieren',
  removed: 'Einmalpasswort entfernt',
  removedText: 'Ihre anderen Sitzungen sind beendet.',
  resetError: 'Das Einmalpasswort konnte nicht entfernt werden',
}
