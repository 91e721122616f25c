import type { texts } from './emails.texts.ts'

export const deDE: typeof texts = {
  title: 'E-Mail-Adressen',
  description:
    'Anmelden können Sie sich mit jeder bestätigten Adresse. Nachrichten gehen an die Standardadresse.',
  loadingFailed: 'Ihre Adressen konnten nicht geladen werden',
  newEmail: 'Neue E-Mail-Adresse',
  add: 'Hinzufügen',
  adding: 'Wird hinzugefügt',
  added: 'Sehen Sie in Ihrem Postfach nach',
  addingFailed: 'Die E-Mail-Adresse konnte nicht hinzugefügt werden',
  isDefault: 'Standard',
  verified: 'Bestätigt',
  unverified: 'Nicht bestätigt',
  verifiedAt: 'Bestätigt:',
  addedAt: 'Hinzugefügt:',
  actionsOf: (email: string) => `Aktionen für ${email}`,
  resend: 'Bestätigung erneut senden',
  checkInbox: 'Postfach prüfen',
  resent: 'Bestätigungs-E-Mail gesendet',
  resentText: 'Sehen Sie in Ihrem Postfach nach',
  resendFailed: 'Die Bestätigungs-E-Mail konnte nicht gesendet werden',
  makeDefault: 'Als Standard verwenden',
  setDefaultQuestion: 'Diese Adresse als Standard verwenden?',
  setDefaultText: (email: string) =>
    `Nachrichten gehen künftig an ${email}. Alle Ihre bestätigten Adressen werden über die Änderung informiert.`,
  setDefaultFailed: 'Die Standardadresse konnte nicht geändert werden',
  remove: 'Entfernen',
  removeQuestion: 'Diese Adresse entfernen?',
  removeText: (email: string) =>
    `Sie können sich dann nicht mehr mit ${email} anmelden, und Links, die an diese Adresse gesendet wurden, verlieren ihre Gültigkeit.`,
  removed: 'E-Mail-Adresse entfernt',
  cancel: 'Abbrechen',
}
