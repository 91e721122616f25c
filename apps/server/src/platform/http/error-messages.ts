import { type ErrorCode, errors } from '@pult/contract'
import type { AppError } from '../app-error.ts'
import type { Language, Sentence } from '../language.ts'

/** What a refusal tells people. What only programs cause is the same in each language. */
export function sentenceOf({ code, said }: AppError): Sentence {
  if (typeof said === 'object') return said
  const inLanguage = (language: Language) => said ?? messageOf(code, language)
  return { de: inLanguage('de'), en: inLanguage('en'), 'de-DE': inLanguage('de-DE') }
}

/** What the contract's message of a code is in other words than the default ones. */
function messageOf(code: ErrorCode, language: Language): string {
  if (language === 'de-DE') return german[code]
  return (language === 'en' ? english[code] : undefined) ?? errors[code].message
}

/** Where the specification's own words, or those of the German default, need to be put right. */
const english: Partial<Record<ErrorCode, string>> = {
  PASSWORD_TOO_SHORT: 'Please use at least 8 characters',
  PASSWORD_TOO_COMMON: 'This password is too easy to guess. Please choose another one',
  PASSWORD_RESET_NEEDED: 'Too many failed attempts. Please set a new password with “Forgot your password?”',
}

const german: Record<ErrorCode, string> = {
  VALIDATION_FAILED: 'Die Anfrage ist nicht gültig',
  FORBIDDEN: 'Zugriff verweigert',
  NOT_FOUND: 'Nicht gefunden',
  BODY_TOO_LARGE: 'Die Anfrage ist zu groß',
  UNSUPPORTED_MEDIA_TYPE: 'Dieser Inhaltstyp wird hier nicht angenommen',
  TOO_MANY_REQUESTS: 'Zu viele Versuche. Bitte versuchen Sie es später erneut',
  INTERNAL: 'Auf dem Server ist etwas schiefgegangen',
  BUSY: 'Der Server ist ausgelastet. Bitte versuchen Sie es gleich noch einmal',
  DATABASE_UNAVAILABLE: 'Die Datenbank ist nicht verfügbar. Bitte versuchen Sie es gleich noch einmal',

  UNAUTHENTICATED: 'Bitte melden Sie sich an',
  INVALID_CREDENTIALS: 'Die Anmeldedaten stimmen nicht',
  INVALID_OTP: 'Dieses Einmalpasswort gilt nicht',
  VOUCHER_NOT_VALID:
    'Das hat zu lange gedauert oder wurde zu oft versucht. Bitte geben Sie Ihr Passwort erneut ein',
  PASSWORD_RESET_NEEDED:
    'Zu viele Fehlversuche. Bitte legen Sie mit „Passwort vergessen“ ein neues Passwort fest',
  PASSWORD_TOO_SHORT: 'Mindestens 8 Zeichen',
  PASSWORD_TOO_LONG: 'Das Passwort ist zu lang',
  PASSWORD_TOO_COMMON: 'Dieses Passwort ist zu leicht zu erraten. Bitte wählen Sie ein anderes',
  RECENT_SIGN_IN_NEEDED: 'Bitte bestätigen Sie, dass Sie es sind',
  NOT_CONFIRMED: 'Das stimmt nicht überein. Bitte versuchen Sie es erneut',

  EMAIL_ADDED_ALREADY: 'Diese Adresse haben Sie schon hinzugefügt',
  EMAIL_NOT_VERIFIED: 'Bitte bestätigen Sie diese Adresse zuerst',
  EMAIL_VERIFIED_ALREADY: 'Diese Adresse ist schon bestätigt',
  EMAIL_IS_DEFAULT: 'Ihre Standardadresse kann nicht entfernt werden',
  TOO_MANY_EMAILS: 'Sie haben zu viele Adressen. Bitte entfernen Sie zuerst eine',
  OTP_NOT_ENABLED: 'Die Zwei-Faktor-Authentifizierung ist nicht aktiviert',
  OTP_NOT_STARTED: 'Bitte beginnen Sie von vorn: Diese Einrichtung gilt nicht mehr',
  OTP_REFUSED: 'Dieses Einmalpasswort stimmt nicht. Bitte prüfen Sie die Uhrzeit Ihres Geräts',
  PASSKEY_NOT_ACCEPTED: 'Dieser Passkey konnte nicht hinzugefügt werden. Bitte versuchen Sie es erneut',
  PASSKEY_ADDED_ALREADY: 'Dieser Passkey wurde schon hinzugefügt',
  TOO_MANY_PASSKEYS: 'Sie haben zu viele Passkeys. Bitte löschen Sie zuerst einen',
  LAST_LOGIN_METHOD:
    'Anders können Sie sich nicht anmelden. Bitte legen Sie zuerst ein Passwort fest oder fügen Sie einen weiteren Passkey hinzu',
  WRONG_PASSWORD: 'Das aktuelle Passwort stimmt nicht',

  LINK_NOT_VALID: 'Dieser Link gilt nicht mehr',
  SIGN_IN_TO_ACCEPT:
    'Zu dieser Adresse gibt es schon ein Konto. Bitte melden Sie sich damit an, um die Einladung anzunehmen',
  RECOVERY_CODE_NOT_VALID: 'Keiner davon ist ein unbenutzter Wiederherstellungscode dieses Kontos',
  ALREADY_MEMBER: 'Diese Person gehört schon dazu',
  ORGANISATION_HAS_PROJECTS:
    'Diese Organisation hat noch Projekte. Bitte löschen Sie sie oder nehmen Sie sie zuerst heraus',
  OWNER_STAYS: 'Der Eigentümer kann nicht gehen. Bitte bestimmen Sie zuerst einen anderen',
  LAST_ROOT: 'Das ist das letzte Root-Konto. Bitte machen Sie zuerst jemand anderen zu Root',
  PERSON_OWNS:
    'Dieser Person gehören noch Organisationen oder Projekte. Bitte bestimmen Sie zuerst andere Eigentümer oder löschen Sie sie',
  UNKNOWN_PRODUCT: 'Dieses Produkt gibt es in dieser Installation nicht',
  UNKNOWN_PRODUCT_ROLE: 'Diese Rolle gibt es in den Produkten dieses Projekts nicht',
  UNKNOWN_PERSON: 'Diese Person gibt es nicht',
  ALREADY_GRANTED: 'Diese Person hat diese Rolle schon',
  REVISION_CONFLICT: 'Jemand anderes hat dies inzwischen geändert',

  EXTENSION_BROKEN: 'Diese Erweiterung lässt sich so nicht verwenden',
  EXTENSION_RUNS:
    'Diese Version läuft. Aktivieren Sie zuerst eine andere oder deaktivieren Sie die Erweiterung',
  NO_SPACE_LEFT: 'Auf dem Server ist kein Platz mehr',
  BACKEND_MISSING: 'Für den Dienst dieser App ist noch keine Adresse hinterlegt',
  BACKEND_UNREACHABLE: 'Der Dienst dieser App antwortet nicht',
  BACKEND_REFUSED: 'Der Dienst dieser App lehnt die aufrufende Person ab',
  BACKEND_TIMED_OUT: 'Der Dienst dieser App hat nicht rechtzeitig geantwortet',
  STORE_FULL: 'Diese App bewahrt in diesem Projekt schon zu viel auf',

  TASK_ENDED: 'Diese Aufgabe ist schon beendet',
  TASK_RUNS: 'Diese Aufgabe läuft noch',
  TASK_LEASE_LOST: 'Diese Aufgabe wird inzwischen anderswo ausgeführt',
  UNKNOWN_TASK_TYPE: 'Diese Art von Aufgabe gibt es nicht',
  TOO_MANY_TASKS: 'In diesem Projekt laufen zu viele Aufgaben',

  TICKET_NOT_VALID: 'Diese Adresse zum Hochladen gilt nicht mehr',
  UPLOAD_RUNNING: 'Diese Datei wird gerade schon hochgeladen',
  FILE_TOO_LARGE: 'Die Datei ist zu groß',
  CONTENT_MISMATCH: 'Der Inhalt der Datei passt nicht zu ihrem Typ',
  IMAGE_TOO_LARGE: 'Das Bild hat zu viele Pixel',
  UPLOAD_INCOMPLETE: 'Die Datei ist nicht vollständig angekommen',
  PROJECT_FULL: 'Die Dateien dieses Projekts belegen den ganzen Platz, den es hat',
  DISK_FULL: 'Für diese Datei ist kein Platz mehr',
  NOT_MEDIA: 'Diese Datei ist weder ein Bild noch ein Video noch ein Ton',

  DECK_IN_TWO_SLOTS: 'Ein Deck kann nur an einem Platz sein',
  KEY_WITHOUT_ACTION: 'Diese Taste hat keine Aktion',
  NOTHING_TO_ABORT: 'Es läuft keine solche Aufgabe',

  EDGE_CODE_NOT_VALID: 'Dieser Code gilt nicht mehr',
  EDGE_OFFLINE: 'Das Edge ist nicht verbunden',
  EDGE_CANNOT: 'Der Agent auf diesem Edge kann das nicht',
  EDGE_DID_NOT_ANSWER: 'Das Edge hat nicht rechtzeitig geantwortet',
  INSTANCE_IS_REPORTED: 'Der Agent meldet diese Instanz; nehmen Sie sie aus seinen Einstellungen heraus',
  TOO_MANY_EDGES: 'Dieses Projekt hat so viele Edges, wie es haben darf',
  TOO_MANY_INSTANCES: 'Dieses Edge hat so viele Instanzen, wie es haben darf',
}
