import type { de } from './tasks.texts.ts'

export const deDE: typeof de = {
  waiting: 'Wartet',
  running: 'Läuft',
  finished: 'Fertig',
  failed: 'Fehlgeschlagen',
  jobFailed: 'Die Aufgabe ist fehlgeschlagen',
  fileGenerationFailed: 'Die Datei konnte nicht erzeugt werden',
  timedOut: 'Zeit überschritten',
  aborted: 'Abgebrochen',
  unknownError: 'Ein unbekannter Fehler ist aufgetreten',
  preparing: 'Download wird vorbereitet …',
  download: (name: string) => `${name} herunterladen`,
  ofServer: {
    'project-export': (what: string) => `Export: ${what}`,
    'project-import': (what: string) => `Import: ${what}`,
    'invite-batch': (what: string) => `Einladungen: ${what}`,
    'media-transcode': (what: string) => `Formate: ${what}`,
    'edge-restart': (what: string) => `Neustart: ${what}`,
    'edge-start': (what: string) => `Start: ${what}`,
    'edge-stop': (what: string) => `Stopp: ${what}`,
    'edge-update': (what: string) => `Agent-Update: ${what}`,
    'edge-diagnostics': (what: string) => `Diagnose: ${what}`,
  },
  progress: (title: string) => `Fortschritt von ${title}`,
}
