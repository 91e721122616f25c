import type { texts } from './notifications.texts.ts'

export const deDE: typeof texts = {
  title: 'Benachrichtigungen',
  description:
    'Welche kurzen Meldungen Sie bei der Arbeit sehen, in jedem Browser, in dem Sie sich anmelden.',
  tasks: 'Aufgaben',
  created: 'Gestartet',
  createdText: 'Eine Aufgabe hat begonnen',
  finished: 'Fertig',
  finishedText: 'Eine Aufgabe ist erfolgreich beendet',
  rejected: 'Fehlgeschlagen',
  rejectedText: 'Eine Aufgabe endete mit einem Fehler',
  timedOut: 'Zeit überschritten',
  timedOutText: 'Eine Aufgabe hat zu lange gedauert',
  aborted: 'Abgebrochen',
  abortedText: 'Jemand hat eine Aufgabe abgebrochen',
}
