import type { texts } from './notifications.texts.ts'

export const deDE: typeof texts = {
  title: 'Benachrichtigungen',
  description: 'Die Benachrichtigungen, die Sie bei der Arbeit sehen, in jedem Ihrer Browser.',
  scope: 'Meldungen zu Aufgaben',
  off: 'Keine',
  offText: 'Keine Meldungen zu Aufgaben',
  mine: 'Eigene',
  mineText: 'Aufgaben, die Sie gestartet haben',
  all: 'Alle',
  allText: 'Alle Aufgaben des aktiven Projekts',
  tasks: 'Ereignisse',
  created: 'Gestartet',
  createdText: 'Eine Aufgabe startet',
  finished: 'Fertig',
  finishedText: 'Eine Aufgabe ist abgeschlossen',
  rejected: 'Fehlgeschlagen',
  rejectedText: 'Eine Aufgabe schlägt fehl',
  timedOut: 'Zeit überschritten',
  timedOutText: 'Eine Aufgabe überschreitet ihre Frist',
  aborted: 'Abgebrochen',
  abortedText: 'Eine Aufgabe wird abgebrochen',
}
