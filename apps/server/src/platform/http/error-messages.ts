import { type ErrorCode, errors } from '@pult/contract'
import type { AppError } from '../app-error.ts'
import type { Language, Sentence } from '../language.ts'

/**
 * Returns the user-visible message of a rejection. Messages that only programs can cause are the same in every
 * language.
 */
export function sentenceOf({ code, message, specificMessage, taskMessage }: AppError): Sentence {
  if (typeof specificMessage === 'object') return specificMessage
  const inLanguage = (language: Language) =>
    specificMessage === undefined && taskMessage === undefined ? messageOf(code, language) : message
  return { de: inLanguage('de'), en: inLanguage('en'), 'de-DE': inLanguage('de-DE') }
}

/** Returns the message of a code in a language, or the contract's default. */
function messageOf(code: ErrorCode, language: Language): string {
  if (language === 'de-DE') return german[code]
  return (language === 'en' ? english[code] : undefined) ?? errors[code].message
}

/** Corrected texts of the `en` catalogue, where the contract has the specification's literal text. */
const english: Partial<Record<ErrorCode, string>> = {
  PASSWORD_TOO_SHORT: 'Please use at least 8 characters',
  PASSWORD_RESET_NEEDED: 'Too many failed attempts. Please set a new password with “Forgot your password?”',
}

const german: Record<ErrorCode, string> = {
  VALIDATION_FAILED: 'Die Anfrage ist nicht gültig',
  FORBIDDEN: 'Zugriff verweigert',
  NOT_FOUND: 'Nicht gefunden',
  BODY_TOO_LARGE: 'Die Anfrage ist zu groß',
  UNSUPPORTED_MEDIA_TYPE: 'Dieser Inhaltstyp wird hier nicht angenommen',
  IDEMPOTENCY_KEY_REUSED:
    'Dieser Idempotency-Key gehört zu einer anderen Anfrage. Senden Sie einen neuen Schlüssel',
  TOO_MANY_REQUESTS: 'Zu viele Versuche. Versuchen Sie es später erneut',
  INTERNAL: 'Auf dem Server ist etwas schiefgegangen',
  BUSY: 'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal',
  NOT_READY: 'Dieser Server ist nicht bereit. Sein Protokoll nennt den Grund',
  DATABASE_UNAVAILABLE: 'Die Datenbank ist nicht verfügbar. Versuchen Sie es gleich noch einmal',
  SERVER_DISK_FULL:
    'Der Datenträger des Servers ist voll: Nichts kann gespeichert werden, bis Root Platz schafft',
  QUERY_TIMEOUT: 'Die Anfrage hat zu lange gedauert. Versuchen Sie es erneut, oder grenzen Sie die Suche ein',

  UNAUTHENTICATED: 'Melden Sie sich an',
  INVALID_CREDENTIALS: 'Die Anmeldedaten stimmen nicht',
  INVALID_OTP: 'Dieses Einmalpasswort gilt nicht',
  VOUCHER_NOT_VALID: 'Diese Anmeldung ist abgelaufen. Geben Sie Ihr Passwort erneut ein',
  PASSWORD_RESET_NEEDED: 'Zu viele Fehlversuche. Legen Sie mit „Passwort vergessen“ ein neues Passwort fest',
  ADDRESS_TAKEN: 'Ein anderes Konto hat diese Adresse bestätigt',
  SECOND_FACTOR_LOCKED:
    'Zu viele falsche Codes. Melden Sie sich mit einem Passkey an, oder bitten Sie Root, Ihr Konto zu entsperren',
  PASSWORD_TOO_SHORT: 'Mindestens 8 Zeichen',
  PASSWORD_TOO_LONG: 'Das Passwort ist zu lang',
  PASSWORD_TOO_COMMON: 'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein anderes',
  RECENT_SIGN_IN_NEEDED: 'Bestätigen Sie, dass Sie es sind',
  SECOND_FACTOR_NEEDED: 'Bestätigen Sie mit einem Einmalpasswort oder einem Passkey',
  NOT_CONFIRMED: 'Die Bestätigung ist fehlgeschlagen. Versuchen Sie es erneut',

  EMAIL_ADDED_ALREADY: 'Diese Adresse haben Sie schon hinzugefügt',
  EMAIL_NOT_VERIFIED: 'Bestätigen Sie diese Adresse zuerst',
  EMAIL_VERIFIED_ALREADY: 'Diese Adresse ist schon bestätigt',
  EMAIL_IS_DEFAULT: 'Ihre Standardadresse kann nicht entfernt werden',
  TOO_MANY_EMAILS: 'Sie haben zu viele Adressen. Entfernen Sie zuerst eine',
  OTP_NOT_ENABLED: 'Die Zwei-Faktor-Authentifizierung ist nicht aktiviert',
  OTP_NOT_STARTED: 'Beginnen Sie von vorn: Diese Einrichtung gilt nicht mehr',
  OTP_REFUSED: 'Dieses Einmalpasswort stimmt nicht. Prüfen Sie die Uhrzeit Ihres Geräts',
  PASSKEY_NOT_ACCEPTED: 'Dieser Passkey konnte nicht hinzugefügt werden. Versuchen Sie es erneut',
  PASSKEY_ADDED_ALREADY: 'Dieser Passkey wurde schon hinzugefügt',
  TOO_MANY_PASSKEYS: 'Sie haben zu viele Passkeys. Löschen Sie zuerst einen',
  LAST_LOGIN_METHOD:
    'Anders können Sie sich nicht anmelden. Legen Sie zuerst ein Passwort fest oder fügen Sie einen weiteren Passkey hinzu',
  WRONG_PASSWORD: 'Das aktuelle Passwort stimmt nicht',

  LINK_NOT_VALID: 'Dieser Link gilt nicht mehr',
  SIGN_IN_TO_ACCEPT:
    'Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich damit an, um die Einladung anzunehmen',
  RECOVERY_CODE_NOT_VALID:
    'Keiner davon ist ein unbenutzter Wiederherstellungscode dieses Kontos. Prüfen Sie die Codes',
  ALREADY_MEMBER: 'Diese Person gehört schon dazu',
  ORGANISATION_HAS_PROJECTS:
    'Diese Organisation hat noch Projekte. Löschen oder verschieben Sie diese zuerst',
  TOO_MANY_ORGANISATIONS:
    'Der Eigentümer hat so viele Organisationen, wie eine Person besitzen darf. Bitten Sie Root, die Grenze anzuheben',
  OWNER_STAYS: 'Der Eigentümer kann nicht gehen. Bestimmen Sie zuerst einen anderen',
  LAST_ROOT: 'Das ist das letzte Root-Konto. Machen Sie zuerst jemand anderen zu Root',
  PERSON_OWNS:
    'Dieser Person gehören noch Organisationen oder Projekte. Bestimmen Sie zuerst andere Eigentümer oder löschen Sie sie',
  UNKNOWN_PRODUCT: 'Dieses Produkt gibt es in dieser Installation nicht',
  UNKNOWN_PRODUCT_ROLE: 'Diese Rolle gibt es in den Produkten dieses Projekts nicht',
  UNKNOWN_PERSON: 'Diese Person gibt es nicht',
  TOO_MANY_PROJECTS:
    'Sie besitzen so viele Projekte, wie eine Person besitzen darf. Bitten Sie Root, die Grenze anzuheben',
  ALREADY_GRANTED: 'Diese Person hat diese Rolle schon',
  REVISION_CONFLICT: 'Jemand anderes hat dies inzwischen geändert',

  EXTENSION_BROKEN: 'Diese Erweiterung ist ungültig. Berichtigen Sie ihr Manifest oder ihre Dateien',
  EXTENSION_RUNS:
    'Diese Version läuft. Aktivieren Sie zuerst eine andere oder deaktivieren Sie die Erweiterung',
  NO_SPACE_LEFT: 'Der Datenträger des Servers ist voll',
  BACKEND_MISSING: 'Die Adresse des Dienstes dieser App ist nicht eingetragen. Bitten Sie Root darum',
  BACKEND_UNREACHABLE: 'Der Dienst dieser App antwortet nicht',
  BACKEND_REFUSED: 'Der Dienst dieser App hat den Aufruf abgelehnt',
  BACKEND_TIMED_OUT: 'Der Dienst dieser App hat nicht rechtzeitig geantwortet',
  STORE_FULL: 'Der Speicher dieser App ist in diesem Projekt aufgebraucht. Löschen Sie einige ihrer Daten',

  TASK_ENDED: 'Diese Aufgabe ist schon beendet',
  TASK_RUNS: 'Diese Aufgabe läuft noch',
  TASK_CANNOT_RETRY: 'Diese Aufgabe lässt sich nicht erneut starten. Starten Sie eine neue',
  TASK_LEASE_LOST: 'Diese Aufgabe führt inzwischen ein anderer Dienst aus',
  UNKNOWN_TASK_TYPE: 'Diese Art von Aufgabe gibt es nicht',
  TOO_MANY_TASKS: 'In diesem Projekt laufen zu viele Aufgaben. Warten Sie, bis einige beendet sind',

  TICKET_NOT_VALID: 'Diese Adresse zum Hochladen gilt nicht mehr. Beginnen Sie das Hochladen erneut',
  UPLOAD_RUNNING: 'Diese Datei wird gerade schon hochgeladen',
  FILE_TOO_LARGE: 'Die Datei ist zu groß',
  CONTENT_MISMATCH: 'Der Inhalt der Datei passt nicht zu ihrem Typ',
  IMAGE_TOO_LARGE: 'Das Bild hat zu viele Pixel',
  UPLOAD_INCOMPLETE: 'Die Datei ist unvollständig. Laden Sie sie erneut hoch',
  PROJECT_FULL: 'Der Speicherplatz dieses Projekts ist aufgebraucht',
  DISK_FULL: 'Für diese Datei ist kein Platz mehr',
  DISK_RESERVED:
    'Der Datenträger des Servers ist fast voll, deshalb nimmt er keine Dateien an. Bitten Sie Root, Platz zu schaffen',
  BACKUP_RUNS: 'Eine Sicherung läuft bereits. Versuchen Sie es nach ihrem Ende erneut',
  BACKUP_NOT_RESTORABLE: 'Diese Sicherung lässt sich hier nicht wiederherstellen',
  BACKUP_KEY_WRONG: 'Dieser private Schlüssel entschlüsselt die Sicherung nicht',
  BACKUP_NOT_SET_UP:
    'Sicherungen sind nicht eingerichtet: Die Einstellungen BACKUP_FOLDER und BACKUP_RECIPIENT fehlen',
  NOT_MEDIA: 'Diese Datei ist weder ein Bild noch ein Video noch ein Ton',

  DECK_IN_TWO_SLOTS: 'Ein Deck kann nur an einem Platz sein',
  DECK_LOCKED: 'Das Deck ist gesperrt',
  KEY_WITHOUT_ACTION: 'Diese Taste hat keine Aktion',
  NOTHING_TO_ABORT: 'Es läuft keine solche Aufgabe',

  EDGE_CODE_NOT_VALID: 'Dieser Code gilt nicht mehr. Erzeugen Sie einen neuen Code',
  EDGE_OFFLINE: 'Das Edge ist nicht verbunden',
  EDGE_CANNOT: 'Der Agent auf diesem Edge kann das nicht',
  EDGE_DID_NOT_ANSWER: 'Das Edge hat nicht rechtzeitig geantwortet',
  INSTANCE_IS_REPORTED: 'Der Agent meldet diese Instanz; nehmen Sie sie aus seinen Einstellungen heraus',
  TOO_MANY_EDGES: 'Dieses Projekt hat die Höchstzahl an Edges erreicht',
  TOO_MANY_INSTANCES: 'Dieses Edge hat die Höchstzahl an Instanzen erreicht',
  EDGE_SCHEDULE_NOT_VALID:
    'Der Zeitplan braucht fünf Cron-Felder mit mindestens fünf Minuten zwischen zwei Läufen und den Namen einer Zeitzone',
  TOO_MANY_EDGE_SCHEDULES: 'Dieses Projekt hat die Höchstzahl an Zeitplänen erreicht',
  TOO_MANY_EDGE_KEYS: 'Dieses Projekt hat die Höchstzahl an Aufnahmeschlüsseln erreicht',
  TOO_MANY_EDGE_GROUPS: 'Dieses Projekt hat die Höchstzahl an Gruppen von Edges erreicht',
  TOO_MANY_EDGE_JOBS: 'Dieses Projekt hat die Höchstzahl offener Aufträge erreicht',
  EDGE_JOB_REACHES_NONE: 'Der Auftrag würde kein Edge erreichen',
  EDGE_JOB_NOT_ENDED: 'Der Auftrag ist noch nicht beendet',
  TOO_MANY_TAGS: 'Ein Edge hätte danach zu viele Schlagwörter. Entfernen Sie zuerst andere',
}
