import type { de } from './upload.texts.ts'

export const deDE: typeof de = {
  choose: 'Datei auswählen',
  chooseSeveral: 'Dateien auswählen',
  drop: 'oder hier ablegen',
  dropSeveral: 'oder hier ablegen',
  dropNow: 'Zum Hochladen loslassen',
  uploading: (name: string) => `${name} wird hochgeladen`,
  processing: (name: string) => `${name} wird verarbeitet`,
  waiting: (count: number) => (count === 1 ? '1 weitere Datei' : `${count} weitere Dateien`),
  abort: 'Abbrechen',
  failed: 'Das Hochladen ist fehlgeschlagen',
  retry: 'Erneut versuchen',
  dismiss: 'Ausblenden',
  notAccepted: 'Dateien dieses Typs werden hier nicht angenommen',
}
