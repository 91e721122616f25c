import type { de } from './upload.texts.ts'

export const deDE: typeof de = {
  choose: 'Datei auswählen',
  chooseSeveral: 'Dateien auswählen',
  drop: 'oder hier ablegen',
  dropSeveral: 'oder hier ablegen',
  dropNow: 'Zum Hochladen loslassen',
  uploading: (name: string) => `${name} wird hochgeladen`,
  processing: (name: string) => `${name} wird verarbeitet`,
  fileOf: (position: number, count: number) => `Datei ${position} von ${count}`,
  sentOf: (sent: string, size: string) => `${sent} von ${size}`,
  rate: (bytes: string) => `${bytes}/s`,
  remaining: (duration: string) => `noch ${duration}`,
  waitingForConnection: 'Wartet auf die Verbindung',
  interrupted: (count: number) =>
    count === 1 ? '1 Datei wurde nicht ganz hochgeladen' : `${count} Dateien wurden nicht ganz hochgeladen`,
  chooseAgain: (count: number) =>
    count === 1
      ? 'Wählen Sie dieselbe Datei noch einmal aus, um fortzufahren.'
      : 'Wählen Sie dieselben Dateien noch einmal aus, um fortzufahren.',
  discard: 'Verwerfen',
  discardFile: (name: string) => `${name} verwerfen`,
  abort: 'Abbrechen',
  failed: 'Das Hochladen ist fehlgeschlagen',
  retry: 'Erneut versuchen',
  dismiss: 'Ausblenden',
  notAccepted: 'Dateien dieses Typs werden hier nicht angenommen',
}
