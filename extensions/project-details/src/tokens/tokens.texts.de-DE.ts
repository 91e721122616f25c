import type { de } from './tokens.texts.ts'

export const deDE: typeof de = {
  title: 'Aufgaben & Tokens',
  tokens: 'Aufgaben-Tokens',
  text: 'Mit einem Aufgaben-Token erstellt und steuert der Dienst einer Erweiterung Aufgaben dieses Projekts und lädt deren Dateien hoch. Weiteren Zugriff gibt es nicht.',
  forEditors:
    'Der Eigentümer des Projekts, der Eigentümer seiner Organisation und Root verwalten die Aufgaben-Tokens.',
  loadingFailed: 'Die Aufgaben-Tokens konnten nicht geladen werden',
  none: 'Noch keine Aufgaben-Tokens.',
  label: 'Bezeichnung',
  types: 'Arten von Aufgaben',
  created: 'Erstellt',
  expires: 'Läuft ab',
  expired: 'Abgelaufen',
  creatorGone: 'Beendet: Der Ersteller darf das Projekt nicht mehr bearbeiten',
  lastUsed: 'Zuletzt verwendet',
  never: 'Nie',
  by: (name: string) => `von ${name}`,
  actions: 'Aktionen',

  add: 'Neues Aufgaben-Token',
  labelHint: 'Für welchen Dienst es ist.',
  allOf: (extension: string) => `Alle Arten von ${extension}`,
  lifetime: 'Läuft ab nach',
  days: (count: number) => `${count} Tagen`,
  noTypes: 'Keines der Produkte des Projekts bringt Aufgaben mit, die ein Dienst steuert.',
  create: 'Aufgaben-Token erstellen',
  creating: 'Wird erstellt',
  createFailed: 'Das Aufgaben-Token konnte nicht erstellt werden',
  made: (label: string) => `Aufgaben-Token für ${label}`,
  madeText:
    'Es wird nur dieses eine Mal angezeigt. Der Dienst weist es bei jedem Aufruf vor: authorization: Bearer, dann das Token.',
  token: 'Aufgaben-Token',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Kopieren fehlgeschlagen',

  revoke: 'Widerrufen',
  revokeOf: (label: string) => `${label} widerrufen`,
  revokeQuestion: 'Dieses Aufgaben-Token widerrufen?',
  revokeText: (label: string) =>
    `Der nächste Aufruf von ${label} wird abgelehnt. Was er gerade steuert, endet mit dem Ablauf seiner Frist.`,
  revoked: 'Aufgaben-Token widerrufen',
  cancel: 'Abbrechen',
}
