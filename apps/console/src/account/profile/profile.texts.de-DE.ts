import type { texts } from './profile.texts.ts'

export const deDE: typeof texts = {
  title: 'Profil',
  description: 'Ihr Name, wie ihn andere Personen sehen.',
  firstname: 'Vorname',
  lastname: 'Nachname',
  tooShort: 'Mindestens 2 Zeichen',
  save: 'Speichern',
  saving: 'Wird gespeichert',
  updated: 'Profil gespeichert',
  updateError: 'Das Profil konnte nicht gespeichert werden',
}
