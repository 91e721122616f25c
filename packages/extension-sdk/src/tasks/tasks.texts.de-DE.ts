import type { TaskTexts } from '@pult/contract'
import type { de } from './tasks.texts.ts'

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const messages: TaskTexts = {
  postponed: () =>
    'Datenbank oder Dateispeicher haben nicht geantwortet. Die Aufgabe startet in Kürze erneut.',
  'upload-gone': () => 'Die Datei ist nicht mehr vorhanden',

  'files-exported': ({ count }) => `${count} Dateien exportiert`,
  'export-incomplete': ({ missing }) =>
    `Unvollständig: ${counted(missing, 'Datei fehlt', 'Dateien fehlen')}, siehe Protokoll`,
  'export-file-missing': ({ path }) => `${path} fehlt: Die Datei wurde nicht gefunden`,

  imported: ({ media, mediaTotal, grants, grantsTotal, failed }) =>
    [
      `${media} von ${counted(mediaTotal, 'Medium', 'Medien')}`,
      ` und ${grants} von ${counted(grantsTotal, 'Rolle', 'Rollen')} importiert`,
      ...(failed > 0 ? [`, ${counted(failed, 'Bild konnte', 'Bilder konnten')} nicht gelesen werden`] : []),
    ].join(''),
  'media-skipped': ({ count }) =>
    `${counted(count, 'Medium wurde', 'Medien wurden')} übersprungen: Der Import von Medien erfordert die Rolle zum Bearbeiten von Medien`,
  'medium-exists': ({ label }) => `${label} ist bereits vorhanden`,
  'product-not-installed': ({ sku }) => `Das Produkt ${sku} ist hier nicht installiert`,
  'grants-skipped': ({ count }) =>
    `${counted(count, 'Rolle wurde', 'Rollen wurden')} übersprungen: Nur Root kann Rollen importieren`,
  'no-account': ({ email }) => `${email} hat hier kein Konto`,
  'grant-without-role': ({ email, role }) => `${email}: Die Rolle ${role} gibt es nicht`,
  'grant-exists': ({ email }) => `${email} hat bereits Zugriff`,
  'role-exists': ({ email, role }) => `${email} hat bereits die Rolle ${role}`,
  'picture-not-read': ({ label, reason }) => `${label}: ${reason}`,

  'not-an-export': ({ reason }) => `Das ist kein Projektexport: ${reason}`,
  'export-newer': () => 'er stammt von einer neueren Version',
  'manifest-repeats': () => 'das Manifest enthält einen Eintrag zweimal',
  'entry-not-listed': ({ path }) => `„${path}“ fehlt im Manifest`,
  'entry-missing-or-changed': ({ path }) => `„${path}“ fehlt oder wurde geändert`,
  'entry-changed': ({ path }) => `„${path}“ wurde geändert`,
  'entry-missing': ({ path }) => `„${path}“ fehlt`,
  'entry-not-media': ({ path }) => `„${path}“ ist weder Bild noch Video noch Ton`,
  'entry-not-described': ({ list, path }) => `„${list}“ beschreibt „${path}“ nicht`,
  'entry-too-large': ({ path }) => `„${path}“ ist zu groß`,
  'entry-not-valid': ({ path, fault }) => `„${path}“ ist ungültig: ${fault}`,
  'entry-not-json': ({ path }) => `„${path}“ ist kein gültiges JSON`,
  'entry-not-known': ({ path }) => `„${path}“ ist kein bekannter Eintrag`,
  'entry-repeated': ({ path }) => `„${path}“ kommt zweimal vor`,
  'entry-encrypted': ({ path }) => `„${path}“ ist verschlüsselt`,
  'entry-is-link': ({ path }) => `„${path}“ ist eine Verknüpfung`,
  'entry-compression': ({ path }) => `„${path}“ ist unbekannt komprimiert`,
  'entries-too-many': ({ most }) => `die ZIP-Datei hat mehr als ${most} Einträge`,
  'entries-overlap': () => 'Einträge überschneiden sich',
  'zip-too-large': () => 'entpackt ist die ZIP-Datei zu groß',
  'zip-damaged': () => 'die ZIP-Datei ist beschädigt',

  'people-invited': ({ invited, present, refused }) =>
    `${invited} eingeladen, ${present} bereits Mitglied, ${refused} abgelehnt`,
  'list-line': ({ line, email, reason }) => `Zeile ${line}: ${email}: ${reason}`,
  'invited-as': ({ role }) => `eingeladen als ${role}`,
  'invited-already': () => 'bereits eingeladen',
  'role-not-in-project': ({ role }) => `In diesem Projekt gibt es keine Rolle „${role}“`,
  'list-empty': () => 'Die Datei enthält keine Personen',
  'list-too-long': ({ most }) => `Die Datei hat mehr als ${most} Zeilen`,
  'list-not-csv': () => 'Das ist keine gültige CSV-Datei: Ein Anführungszeichen fehlt oder ist zu viel',
  'list-columns': () => 'Die erste Zeile muss die Spalten email und productRole nennen, jede einmal',

  'formats-made': () => 'Alle Formate sind da',
  'picture-unconverted': () =>
    'Das Bild ließ sich nicht umwandeln. Es wird so gezeigt, wie es hochgeladen wurde',
  'picture-deleted': () => 'Das Bild wurde inzwischen gelöscht',
  'picture-broken': () => 'Das Bild ist beschädigt. Es bleibt, wie es hochgeladen wurde',
  'picture-too-slow': () => 'Das Bild zu lesen dauert zu lange. Es bleibt, wie es hochgeladen wurde',

  'agent-restarts': () => 'Der Agent startet neu. Die Aufgabe wartet, bis er wieder verbunden ist.',
  'agent-reconnected': () => 'Der Agent ist wieder verbunden.',
  'agent-restarted': () => 'Der Agent ist neu gestartet.',
  'agent-updated': () => 'Der Agent ist aktuell.',
  'agent-not-updated': ({ version }) =>
    `Die Aktualisierung ist fehlgeschlagen. Der Agent läuft weiter in Version ${version}`,

  refusal: (values) => values['de-DE'],
}

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
    'project-export': 'Export',
    'project-import': 'Import',
    'invite-batch': 'Einladungen',
    'media-transcode': 'Formate',
    'edge-restart': 'Neustart',
    'edge-start': 'Start',
    'edge-stop': 'Stopp',
    'edge-update': 'Agent-Update',
    'edge-diagnostics': 'Diagnose',
  },
  progress: (title: string) => `Fortschritt von ${title}`,
  messages,
}
