import type { texts } from './password.texts.ts'

export const deDE: typeof texts = {
  title: 'Passwort / Neues Passwort festlegen',
  description: 'Sie werden überall sonst abgemeldet.',
  currentPassword: 'Aktuelles Passwort',
  currentPasswordHint: 'In den ersten zehn Minuten nach der Anmeldung nicht nötig.',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 8 Zeichen.',
  confirmation: 'Neues Passwort bestätigen',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  newPasswordMissing: 'Geben Sie ein neues Passwort ein',
  newPasswordTooShort: 'Mindestens 8 Zeichen',
  confirmationMissing: 'Geben Sie Ihr neues Passwort noch einmal ein',
  confirmationDiffers: 'Die Passwörter stimmen nicht überein',
  save: 'Neues Passwort festlegen',
  saving: 'Neues Passwort wird festgelegt',
  changed: 'Passwort geändert',
  changedText: 'Ihr neues Passwort gilt ab jetzt',
  changeError: 'Das Passwort konnte nicht geändert werden',
}
