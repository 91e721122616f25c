import type { texts } from './windows.texts.ts'

export const deDE: typeof texts = {
  openWindows: 'Offene Fenster',
  minimised: (title: string) => `${title}, minimiert`,
  menu: 'Fenstermenü',
  move: 'Verschieben',
  resize: 'Größe ändern',
  snapLeft: 'Linke Hälfte',
  snapRight: 'Rechte Hälfte',
  maximise: 'Maximieren',
  restore: 'Wiederherstellen',
  minimise: 'Minimieren',
  openAsPage: 'Als Seite öffnen',
  close: 'Schließen',
  moving:
    'Die Pfeiltasten verschieben das Fenster, mit Umschalt um 1 px. Die Eingabetaste behält es so, Esc macht es rückgängig.',
  resizing:
    'Die Pfeiltasten ändern die Größe des Fensters, mit Umschalt um 1 px. Die Eingabetaste behält sie, Esc macht es rückgängig.',
  closingFailed: 'Das Fenster lässt sich gerade nicht schließen',
}
