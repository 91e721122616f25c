import { AppError, explain } from '#platform/app-error.ts'
import { codeOf } from '#platform/database/database.ts'
import { causeOf } from '#platform/database/database-fault.ts'
import { FileStoreFault } from '#platform/files/file-store-fault.ts'
import type { Sentence } from '#platform/language.ts'

/** Why a part of the installation does not work, and the remedy, in words for its operator. Clauses without a full stop. */
export interface Failure {
  what: Sentence
  fix: Sentence
}

type Describe = (reason: string, path: string) => Failure

const both = (de: string, german: string): Sentence => ({ de, 'de-DE': german })

const lacksFile: Describe = (reason, path) => ({
  what: both(
    `this server cannot use ${path} (${reason})`,
    `dieser Server kann ${path} nicht benutzen (${reason})`,
  ),
  fix: both(
    'Give the user of the server the right to read and write this folder, and check that its disk is mounted',
    'Geben Sie dem Benutzer des Servers das Recht, diesen Ordner zu lesen und zu beschreiben, und prüfen Sie, ob sein Datenträger eingehängt ist',
  ),
})

const lacksTable: Describe = (reason) => ({
  what: both(
    `the database lacks the schema of this version (${reason})`,
    `die Datenbank hat nicht das Schema dieser Version (${reason})`,
  ),
  fix: both(
    'Restart this server, which updates the schema. If that does not help, restore a complete backup',
    'Starten Sie diesen Server neu, denn der Start aktualisiert das Schema. Hilft das nicht, stellen Sie eine vollständige Sicherung wieder her',
  ),
})

/** Codes of Node.js for files, and of PostgreSQL. */
const byCode: Record<string, Describe> = {
  EACCES: lacksFile,
  EPERM: lacksFile,
  EROFS: lacksFile,
  ENOENT: lacksFile,
  ENOTDIR: lacksFile,
  EIO: lacksFile,
  ESTALE: lacksFile,
  ENOTCONN: lacksFile,
  ENODEV: lacksFile,
  EHOSTDOWN: lacksFile,
  '42P01': lacksTable,
  '42703': lacksTable,
  '3F000': lacksTable,
}

type DescribeInGerman = (reason: string) => [what: string, fix: string]

const rejectsSignIn: DescribeInGerman = (reason) => [
  `die Datenbank lehnt die Anmeldung ab (${reason})`,
  'Prüfen Sie Benutzer und Passwort in DATABASE_URL',
]

/** German words for the faults of `causeOf` that a running server can have. */
const germanFaults: Record<string, DescribeInGerman> = {
  '28P01': rejectsSignIn,
  '28000': rejectsSignIn,
  '42501': (reason) => [
    `dem Datenbankbenutzer fehlt ein Recht (${reason})`,
    'Der Benutzer braucht: grant connect, create on database DATENBANK to ROLLE; grant usage, create on schema public to ROLLE. Die Tabellen von Pult müssen ihm gehören',
  ],
  '25006': () => [
    'die Datenbank nimmt nur Lesezugriffe an',
    'Befördern Sie diesen Standby-Server, oder nennen Sie in DATABASE_URL den Host, der Schreibzugriffe annimmt. Suchen Sie auf einem Primärserver nach default_transaction_read_only',
  ],
  '53300': (reason) => [
    `die Datenbank hat keine freie Verbindung (${reason})`,
    'Erhöhen Sie max_connections von PostgreSQL oder die Verbindungsgrenze der Rolle oder der Datenbank, oder beenden Sie andere Verbindungen',
  ],
  '53100': (reason) => [
    `der Datenträger der Datenbank ist voll (${reason})`,
    'Schaffen Sie Platz auf diesem Datenträger',
  ],
}

/** The same for groups of codes. */
const germanCertificates: [RegExp, DescribeInGerman][] = [
  [
    /^CERT_/,
    (reason) => [
      `das Zertifikat der Datenbank ist ungültig (${reason})`,
      'Erneuern Sie es, und prüfen Sie die Uhren beider Maschinen',
    ],
  ],
  [
    /ALTNAME/,
    (reason) => [
      `das Zertifikat der Datenbank gilt für einen anderen Hostnamen (${reason})`,
      'Verwenden Sie in DATABASE_URL den Namen aus dem Zertifikat',
    ],
  ],
  [
    /SELF_SIGNED|^UNABLE_TO_/,
    (reason) => [
      `dem Zertifikat der Datenbank wird nicht vertraut (${reason})`,
      'Nennen Sie in NODE_EXTRA_CA_CERTS oder sslrootcert eine Datei mit dem Zertifikat der Zertifizierungsstelle',
    ],
  ],
]

const german: DescribeInGerman = (reason) => [
  `die Datenbank ist nicht erreichbar (${reason})`,
  'Prüfen Sie Host und Port in DATABASE_URL, ob PostgreSQL läuft, und die Firewalls dazwischen',
]

/** Returns the failure that an error stands for. */
export function failureOf(error: unknown): Failure {
  // The message of an AppError is for its caller and hides the reason.
  const found = error instanceof AppError && error.cause !== undefined ? error.cause : error
  if (found instanceof FileStoreFault) return { what: found.what, fix: found.fix }
  const code = codeOf(found)
  const reason = explain(found).replace(/\s+/g, ' ').replace(/\.$/, '')
  const isOfConnection = found instanceof Error && 'syscall' in found && found.syscall === 'connect'
  const describe = isOfConnection ? undefined : byCode[code]
  if (describe !== undefined) return describe(reason, pathOf(found))
  const fault = causeOf(error)
  if (fault === undefined)
    return {
      what: { de: reason, 'de-DE': reason },
      fix: both(
        'The log of the server has the details',
        'Das Protokoll des Servers enthält die Einzelheiten',
      ),
    }
  const certificate = germanCertificates.find(([codes]) => codes.test(code))?.[1]
  const [what, fix] = (germanFaults[code] ?? certificate ?? german)(reason)
  return { what: both(fault.cause, what), fix: both(fault.remedy, fix) }
}

const pathOf = (error: unknown) =>
  error instanceof Error && 'path' in error ? String(error.path) : 'its folder'
