import { AppError, explain } from '../app-error.ts'
import { StartFault } from '../start-fault.ts'
import { connectErrors, notPostgresCode } from './client.ts'

/** Why the database cannot be used, in words for an operator. It contains no secret. */
export interface DatabaseFault {
  /** A clause without a full stop. */
  cause: string
  /** One or more sentences. */
  remedy: string
  /** Whether only an operator can repair it, so that a retry cannot help. */
  isFinal: boolean
}

/** A fault that Pult itself has found, unlike one that the driver or PostgreSQL reports. */
export class DatabaseFaultError extends Error {
  override name = 'DatabaseFaultError'
  readonly fault: DatabaseFault

  constructor(fault: DatabaseFault) {
    super(fault.cause)
    this.fault = fault
  }
}

const final = (cause: string, remedy: string): DatabaseFault => ({ cause, remedy, isFinal: true })
const passing = (cause: string, remedy: string): DatabaseFault => ({ cause, remedy, isFinal: false })

const trustCa =
  'Set NODE_EXTRA_CA_CERTS, or sslrootcert in DATABASE_URL, to a file with the certificate of its CA. For encryption ' +
  'without this check, use sslmode=no-verify'
const encodeCharacters =
  'Check user and password in DATABASE_URL. Special characters in them must be percent-encoded, for example # as %23, ' +
  '/ as %2F, ? as %3F, @ as %40 and % as %25'
const checkAddress =
  'Check that PostgreSQL is running. Check the host and port in DATABASE_URL, and the firewalls in between'

const unknownCa = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

/** Properties of the errors of Node.js and of PostgreSQL. */
type Facts = Error &
  Partial<Record<'code' | 'syscall' | 'address' | 'hostname' | 'routine', string> & { port: number }>
type Describe = (error: Facts, message: string) => DatabaseFault

const badCertificate: Describe = (_, message) =>
  final(
    `the certificate of the database is not valid (${message})`,
    'Renew it, and check the clocks of both machines',
  )

const noAnswer: Describe = () => passing('the database does not answer', checkAddress)

const cutOff: Describe = () =>
  passing(
    'the server closed the connection before PostgreSQL answered',
    'Check that PostgreSQL itself listens on the port in DATABASE_URL, and that the proxy in between has a server',
  )

/** Codes of Node.js and TLS, and of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const byCode: Record<string, Describe> = {
  [notPostgresCode]: () =>
    final(
      'a server other than PostgreSQL answers at this address',
      'Check host and port in DATABASE_URL, for example postgres://pult:PASSWORD@db.example.org:5432/pult',
    ),
  ERR_TLS_CERT_ALTNAME_INVALID: (_, message) =>
    final(
      `the certificate of the database is for another host name (${message})`,
      'Use the name of the certificate in DATABASE_URL, or sslmode=no-verify for encryption without this check',
    ),
  CERT_HAS_EXPIRED: badCertificate,
  CERT_NOT_YET_VALID: badCertificate,
  CERT_REVOKED: badCertificate,
  EPROTO: (_, message) =>
    final(`the TLS handshake failed (${message})`, 'Check sslmode and the certificates in DATABASE_URL'),
  ECONNREFUSED: ({ address, port }) =>
    passing(
      `nothing listens on ${address === undefined ? 'the host and port' : `${address} port ${port}`}`,
      'Check that PostgreSQL is running. Check its listen_addresses, and the host and port in DATABASE_URL',
    ),
  ENOENT: ({ address }) =>
    passing(
      `the socket ${address} does not exist`,
      'Check that PostgreSQL is running. Check its unix_socket_directories, and the folder in DATABASE_URL',
    ),
  EACCES: ({ address }) =>
    final(
      `this user may not use the socket ${address}`,
      'Change unix_socket_permissions of PostgreSQL or the permissions of the folder',
    ),
  ENOTFOUND: ({ hostname }) =>
    passing(`the host name ${hostname} is unknown`, 'Check the host in DATABASE_URL, and the DNS'),
  EAI_AGAIN: ({ hostname }) =>
    passing(`no name server answers for ${hostname}`, 'Check the DNS and the network of this machine'),
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ECONNRESET: cutOff,
  EPIPE: cutOff,
  '28P01': (_, message) => final(`the database rejects the sign-in (${message})`, encodeCharacters),
  '28000': ({ routine }, message) =>
    final(
      `the database rejects the sign-in (${message})`,
      routine === 'InitializeSessionUserId'
        ? 'Check the user in DATABASE_URL. A role that exists needs: alter role NAME login'
        : "Add a line to pg_hba.conf for this database, user and address. If the message contains 'no encryption', " +
            'use sslmode=verify-full in DATABASE_URL',
    ),
  '3D000': (_, message) =>
    final(
      `the database rejects the connection (${message})`,
      "Create it, or correct its name in DATABASE_URL: create database NAME encoding 'UTF8' template template0",
    ),
  '42501': (_, message) =>
    final(
      `the database user lacks a permission (${message})`,
      'The user needs: grant connect, create on database DATABASE to ROLE; grant usage, create on schema public to ' +
        'ROLE. It must own the tables of Pult',
    ),
  '53300': (_, message) =>
    passing(
      `the database has no free connection (${message})`,
      'Raise max_connections of PostgreSQL or the connection limit of the role or database, or close connections of other clients',
    ),
  '53100': (_, message) =>
    passing(`the disk of the database is full (${message})`, 'Free up space on this disk'),
  '57P03': (_, message) =>
    passing(`the database does not accept connections yet (${message})`, 'Wait until PostgreSQL has started'),
  '25006': () => readOnly,
  '08P01': (_, message) =>
    message.startsWith('unsupported startup parameter')
      ? final(
          `the pooler rejects the connection (${message})`,
          'Remove the parameter from DATABASE_URL, or add it to ignore_startup_parameters of PgBouncer',
        )
      : passing(`the pooler or the database rejects the connection (${message})`, checkAddress),
}

export const readOnly = passing(
  'the database accepts only reads',
  'Promote this standby, or name the host that accepts writes in DATABASE_URL. On a primary, look for ' +
    'default_transaction_read_only',
)

/** Errors of the driver, which have no code. */
const byMessage: [RegExp, Describe][] = [
  [
    /server does not support SSL/,
    () =>
      final(
        'the database offers no TLS, but sslmode in DATABASE_URL requires it',
        'Set ssl = on in postgresql.conf, or use sslmode=disable in a network that you trust',
      ),
  ],
  [
    /client password must be/,
    () =>
      final(
        'the database asks for a password, and DATABASE_URL has none',
        'Write it into DATABASE_URL: postgres://USER:PASSWORD@HOST:5432/DATABASE. PGPASSWORD is not read',
      ),
  ],
  [
    /^SASL|^Unknown authenticationOk/,
    (_, message) =>
      final(
        `the database asks for a kind of sign-in that Pult does not support (${message})`,
        'Use scram-sha-256 in pg_hba.conf',
      ),
  ],
  [
    /^(timeout expired|Query read timeout|Connection terminated due to connection timeout|timeout exceeded)/,
    noAnswer,
  ],
  [/^Connection terminated/, cutOff],
]

/** Classes of passing faults: connection, resources, operator intervention, system. */
const passingClass = /^(08|53|57P|58)/

/** Returns the fault that an error, or one of its causes, stands for; undefined for an error of another kind. */
export const causeOf = (error: unknown): DatabaseFault | undefined => faultIn(error, false)

function faultIn(error: unknown, isOfDatabase: boolean): DatabaseFault | undefined {
  // A start fault contains its own remedy.
  if (!(error instanceof Error) || error instanceof StartFault) return undefined
  if (error instanceof DatabaseFaultError) return error.fault
  const isOf =
    isOfDatabase ||
    connectErrors.has(error) ||
    (error instanceof AppError && error.code === 'DATABASE_UNAVAILABLE')
  // The addresses of a host.
  if (error instanceof AggregateError) return ofAll(error.errors, isOf)
  return ofOne(error, isOf) ?? faultIn(error.cause, isOf)
}

/** Whether the words of an error are for an operator and more precise than those of its cause. */
const hasOwnWords = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof AppError || error instanceof AggregateError || error instanceof DatabaseFaultError) &&
  ofOne(error, connectErrors.has(error)) === undefined

/** SQLSTATE has five characters, one of which is a digit. The codes of Node.js and TLS are words. */
const isOfNode = (code: string) => code.length !== 5 || !/\d/.test(code)

function ofOne(error: Facts, isOfDatabase: boolean): DatabaseFault | undefined {
  if (error instanceof AppError) return undefined
  // Any server can answer at the address, with characters that a terminal executes.
  const message = error.message.replace(/[\s\p{Cc}]+/gu, ' ').replace(/\.$/, '')
  const code = typeof error.code === 'string' ? error.code : ''
  // Files, mail servers and S3 have the same codes.
  const isOfFile = (code === 'ENOENT' || code === 'EACCES') && error.syscall !== 'connect'
  if (code !== '' && isOfNode(code) && (!isOfDatabase || isOfFile)) return undefined
  if (unknownCa.has(code))
    return final(`the certificate of the database is not trusted (${message})`, trustCa)
  if (/^(CERT|ERR_SSL)_/.test(code)) return (byCode[code] ?? badCertificate)(error, message)
  const describe = byCode[code]
  if (describe !== undefined) return describe(error, message)
  // CheckMyDatabase: the operating system lacks the locale with which the database was created.
  if (code === 'XX000' && error.routine === 'CheckMyDatabase')
    return final(
      `the database cannot be opened (${message})`,
      "Install its locale on the machine of PostgreSQL, or create a new database with the locale 'C.UTF-8'",
    )
  if (passingClass.test(code)) return passing(`the database is not available (${message})`, checkAddress)
  if (code !== '') return undefined
  return byMessage.find(([pattern]) => pattern.test(message))?.[1](error, message)
}

function ofAll(errors: readonly unknown[], isOfDatabase: boolean): DatabaseFault | undefined {
  const faults = errors.map((error) => faultIn(error, isOfDatabase)).filter((fault) => fault !== undefined)
  const [first] = faults
  if (first === undefined) return undefined
  const causes = [...new Set(faults.map(({ cause }) => cause))]
  const remedies = [...new Set(faults.map(({ remedy }) => remedy))]
  return {
    cause: causes.join('; '),
    remedy: remedies.join('. '),
    isFinal: faults.every(({ isFinal }) => isFinal),
  }
}

/** Returns cause and remedy in one line, and for an error of another kind its reason. */
export function explainFault(error: unknown): string {
  const fault = hasOwnWords(error) ? undefined : causeOf(error)
  if (fault === undefined) return explain(error)
  return fault.remedy === '' ? fault.cause : `${fault.cause}. ${fault.remedy}`
}
