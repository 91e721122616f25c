import type { de } from './notes.texts.ts'

export const deDE: typeof de = {
  resource: {
    title: 'Notizen',
    createTitle: 'Neue Notiz',
    search: 'Notizen durchsuchen',
    none: 'Noch keine Notizen',
    noneText:
      'Notizen enthalten, was alle in diesem Projekt wissen sollten, etwa Wegbeschreibungen oder Absprachen.',
    choose: 'Keine Notiz ausgewählt',
    chooseText: 'Wählen Sie eine aus der Liste oder erstellen Sie eine.',
    gone: 'Diese Notiz gibt es nicht',
    goneText: 'Sie wurde gelöscht, oder Sie dürfen sie nicht mehr sehen.',
    created: 'Notiz erstellt',
    saved: 'Notiz gespeichert',
    deleted: 'Notiz gelöscht',
    deleteText: (label: string) => `„${label}“ wird für alle in diesem Projekt gelöscht.`,
  },
  label: 'Bezeichnung',
  text: 'Text',
  labelMissing: 'Geben Sie eine Bezeichnung ein',
  noText: 'Kein Text',
  copyOf: (label: string) => `${label} (Kopie)`,
  pinned: 'Angeheftet',
  pin: 'Anheften',
  unpin: 'Lösen',
  pinningFailed: 'Das Anheften der Notiz ist fehlgeschlagen',
}
