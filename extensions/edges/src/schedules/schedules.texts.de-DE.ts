import type { Rhythm } from './rhythm.ts'
import type { de } from './schedules.texts.ts'

const weekdays = ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag']

export const deDE: typeof de = {
  schedules: 'Zeitpläne',
  schedulesText:
    'Ein Zeitplan startet einen Auftrag für eine Gruppe von Edges. Der Auftrag wartet bis zum nächsten Lauf auf abwesende Edges und handelt für das Konto, das den Zeitplan zuletzt gespeichert hat.',
  schedule: 'Zeitplan …',
  backToEdges: 'Edges',
  loadingFailed: 'Die Zeitpläne konnten nicht geladen werden',
  none: 'Noch keine Zeitpläne',
  noneText:
    'Wählen Sie in der Liste der Edges eine Gruppe, starten Sie einen Auftrag und wählen Sie nach der Vorschau „Zeitplan“.',
  planning: 'das Erstellen von Zeitplänen',
  toEdges: 'Zu den Edges',

  name: 'Name',
  nameMissing: 'Geben Sie einen Namen ein',
  rhythm: 'Wiederholung',
  kinds: {
    daily: 'Jeden Tag',
    weekdays: 'Montag bis Freitag',
    weekly: 'Jede Woche',
    monthly: 'Jeden Monat',
    cron: 'Cron-Muster',
  },
  weekday: 'Wochentag',
  weekdays: (day: number) => weekdays[day] ?? '',
  day: 'Tag des Monats',
  time: 'Uhrzeit',
  cron: 'Cron-Muster',
  cronHint:
    'Minute, Stunde, Tag des Monats, Monat, Wochentag. Sind beide Tage angegeben, genügt einer von beiden. Der Wochentag 4#1 ist der erste Donnerstag eines Monats.',
  timeZone: 'Zeitzone',
  noTimeZone: 'Keine solche Zeitzone',
  next: 'Nächste Läufe',
  timesFailed: 'Solche Zeiten gibt es nicht',
  moved: (time: string) =>
    `Bei der Umstellung auf Sommerzeit gibt es die gewählte Uhrzeit nicht. Der Lauf beginnt dann am Ende der übersprungenen Stunde: ${time}.`,
  inWords: ({ kind, time, weekday, day }: Rhythm): string =>
    ({
      daily: `Jeden Tag um ${time}`,
      weekdays: `Montag bis Freitag um ${time}`,
      weekly: `Jeden ${weekdays[weekday]} um ${time}`,
      monthly: `Am ${day}. jedes Monats um ${time}`,
      cron: '',
    })[kind],

  nextRun: 'Nächster Lauf',
  lastRun: 'Letzter Lauf',
  paused: 'Pausiert',
  groupGone: 'Die Gruppe wurde gelöscht',
  actions: 'Aktionen',
  runs: 'Läufe',
  runsOf: (label: string) => `Läufe von ${label}`,
  runsFailed: 'Die Läufe konnten nicht geladen werden',
  noRuns: 'Noch keine Läufe',
  dueAt: 'Fällig',
  result: 'Ergebnis',
  job: 'Auftrag',
  openJob: 'Öffnen',
  noValue: '–',
  begun: 'Gestartet',
  missed: (total: number) =>
    total === 1 ? 'Ausgefallen' : `${total >= 100 ? '100-mal oder öfter' : `${total}-mal`} ausgefallen`,
  misses: {
    late: 'Der Server lief nicht',
    noRight: 'Das Konto darf die Edges nicht mehr verwalten',
    groupGone: 'Die Gruppe wurde gelöscht',
    reachesNone: 'Kein Edge erreichbar',
    tooMany: 'Zu viele unfertige Aufträge',
  },
  edit: 'Bearbeiten',
  editOf: (label: string) => `${label} bearbeiten`,
  actsForYou: 'Die Läufe handeln von jetzt an für Ihr Konto.',
  pause: 'Pausieren',
  pauseOne: (label: string) => `${label} pausieren`,
  resume: 'Fortsetzen',
  resumeOne: (label: string) => `${label} fortsetzen`,
  remove: 'Löschen',
  removeOne: (label: string) => `${label} löschen`,
  removeQuestion: (label: string) => `Den Zeitplan ${label} löschen?`,
  removeText: 'Begonnene Aufträge laufen weiter.',
  removed: (label: string) => `${label} gelöscht`,
  save: 'Zeitplan speichern',
  saved: 'Zeitplan gespeichert',
  saveFailed: 'Der Zeitplan konnte nicht gespeichert werden',
  cancel: 'Abbrechen',
  back: 'Zurück',
  close: 'Schließen',
}
