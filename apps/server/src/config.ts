import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { limits } from '@pult/contract'
import { z } from 'zod'
import { faultOfDatabaseUrl, faultOfReplicaUrl } from '#platform/database/hosts.ts'
import { type LogLevel, logLevels } from '#platform/log.ts'
import { logFormats, unquoted } from '#platform/log-line.mjs'
import { type Mailbox, mailDomain } from '#platform/mail/mailbox.ts'
import { pult } from '#platform/program-name.ts'
import type { TracingConfig } from '#platform/tracing.ts'
import {
  addressOrRange,
  backupPlaceForm,
  bucket,
  bytes,
  collectorUrl,
  contact,
  count,
  emailAddress,
  folder,
  host,
  key,
  list,
  mailbox,
  oneOf,
  originForm,
  pairs,
  publicOriginForm,
  region,
  secret,
  share,
  smtpUrl,
  text,
  token,
  webPage,
  whole,
} from './setting-forms.ts'

/*
 * Every setting with its meaning. docs/operations/settings.md describes the same settings; a test compares them.
 */

const settings = z.object({
  PORT: whole(1, 65_535, 'must be a port: a number from 1 to 65535').default(8080),
  HOST: host.optional(),
  PULT_URL: publicOriginForm.optional(),
  PULT_DATA: folder.optional(),
  DATABASE_URL: text(faultOfDatabaseUrl).optional(),
  DATABASE_REPLICA_URL: text(faultOfReplicaUrl).optional(),
  PULT_SECRET: secret(32, 'openssl rand -base64 32').optional(),
  ROOT_EMAIL: emailAddress.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailbox.optional(),
  TRUSTED_PROXIES: list(addressOrRange).default([]),
  DEV_ORIGINS: list(originForm).default([]),
  CONTACT_URL: contact.optional(),
  PRIVACY_URL: webPage.optional(),
  IMPRINT_URL: webPage.optional(),
  SERVICE_WORKER: oneOf(['on', 'off']).default('on'),
  FILE_MAX_SIZE: bytes(1, limits.fileBytesMax).default(5 * 1024 ** 3),
  FILE_QUOTA: bytes(0, 1024 ** 5).default(20 * 1024 ** 3),
  FILE_TOTAL: z
    .union([z.literal('off'), bytes(0, 1024 ** 5)], {
      error: 'must be a number of bytes, or off for no limit',
    })
    .optional(),
  EDGE_VALUES_QUOTA: bytes(1024 ** 2, 1024 ** 5).default(1024 ** 3),
  DISK_RESERVE: bytes(0, 1024 ** 4).default(512 * 1024 ** 2),
  FILES_FOLDER: folder.optional(),
  FILES_S3_ENDPOINT: originForm.optional(),
  FILES_S3_REGION: region.default('us-east-1'),
  FILES_S3_BUCKET: bucket.optional(),
  FILES_S3_ACCESS_KEY: key.optional(),
  FILES_S3_SECRET_KEY: key.optional(),
  FILES_S3_PATH_STYLE: oneOf(['on', 'off']).default('on'),
  PROJECTS_PER_PERSON: count(0).default(100),
  ORGANISATIONS_PER_PERSON: count(0).default(20),
  PASSKEY_OPTIONS_PER_NETWORK: count(1).default(300),
  UNAUTHENTICATED_SOCKETS: count(1).default(2000),
  UNAUTHENTICATED_SOCKETS_PER_NETWORK: count(1).default(300),
  ACCESS_LOG: oneOf(['on', 'off']).default('off'),
  METRICS_TOKEN: token(16, 'openssl rand -hex 16').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.default({}),
  OTEL_SERVICE_NAME: z.string().default('pult'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  BACKUP_FOLDER: backupPlaceForm.optional(),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[02-9ac-hj-np-z]{58}\.PULT-SIGNER-[0-9A-F]{32}$/, {
      error: `must be the line age1….PULT-SIGNER-… of ${pult('backup key')}, and not its private key`,
    })
    .optional(),
  BACKUP_KEEP: count(1).default(14),
  BACKUP_KEEP_DAYS: whole(1, 1e9, 'must be a whole number of days, at least 1').optional(),
  BACKUP_SCHEDULE: oneOf(['off', 'hourly', 'daily', 'weekly']).default('daily'),
  BACKUP_HOUR: whole(0, 23, 'must be an hour from 0 to 23').default(2),
  BACKUP_DRILL: oneOf(['off', 'each', 'daily', 'weekly']).optional(),
  STOP_DELAY: whole(0, 300, 'must be a number of seconds from 0 to 300').default(0),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  LOG_FORMAT: oneOf(logFormats).default('mixed'),
})

type SettingName = keyof typeof settings.shape

/**
 * A right value of each setting, for its message; with … the form of a key, because a copy of a whole one would be
 * weak. Null for secrets, whose messages name a command.
 */
export const examples: Record<SettingName, string | null> = {
  PORT: '8080',
  HOST: '127.0.0.1',
  PULT_URL: 'https://pult.example.org',
  PULT_DATA: '/var/lib/pult',
  DATABASE_URL: 'postgres://pult:password@localhost:5432/pult',
  DATABASE_REPLICA_URL: 'postgres://pult:password@replica:5432/pult',
  PULT_SECRET: null,
  ROOT_EMAIL: 'root@example.org',
  SMTP_URL: 'smtp://user:password@mail.example.org:587',
  MAIL_FROM: 'Pult <pult@example.org>',
  TRUSTED_PROXIES: '10.0.0.0/8,192.0.2.7',
  DEV_ORIGINS: 'http://localhost:5173',
  CONTACT_URL: 'mailto:desk@example.org',
  PRIVACY_URL: 'https://example.org/privacy',
  IMPRINT_URL: 'https://example.org/imprint',
  SERVICE_WORKER: 'on',
  FILE_MAX_SIZE: '5368709120',
  FILE_QUOTA: '21474836480',
  FILE_TOTAL: '107374182400',
  EDGE_VALUES_QUOTA: '1073741824',
  DISK_RESERVE: '536870912',
  FILES_FOLDER: '/var/lib/pult-files',
  FILES_S3_ENDPOINT: 'https://s3.example.org',
  FILES_S3_REGION: 'eu-central-1',
  FILES_S3_BUCKET: 'pult',
  FILES_S3_ACCESS_KEY: 'AKIA…',
  FILES_S3_SECRET_KEY: 'wJalr…',
  FILES_S3_PATH_STYLE: 'on',
  PROJECTS_PER_PERSON: '100',
  ORGANISATIONS_PER_PERSON: '20',
  PASSKEY_OPTIONS_PER_NETWORK: '300',
  UNAUTHENTICATED_SOCKETS: '2000',
  UNAUTHENTICATED_SOCKETS_PER_NETWORK: '300',
  ACCESS_LOG: 'on',
  METRICS_TOKEN: null,
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc,team=ops',
  OTEL_SERVICE_NAME: 'pult',
  OTEL_TRACES_SAMPLER_ARG: '0.25',
  BACKUP_FOLDER: '/mnt/backup/pult',
  BACKUP_RECIPIENT: 'age1….PULT-SIGNER-…',
  BACKUP_KEEP: '14',
  BACKUP_KEEP_DAYS: '90',
  BACKUP_SCHEDULE: 'daily',
  BACKUP_HOUR: '2',
  BACKUP_DRILL: 'weekly',
  STOP_DELAY: '5',
  LOG_LEVEL: 'info',
  LOG_FORMAT: 'json',
}

/** Values that count as they are given: a quotation mark or a space can be a part of a secret. */
const verbatim: ReadonlySet<string> = new Set<SettingName>([
  'PULT_SECRET',
  'FILES_S3_ACCESS_KEY',
  'FILES_S3_SECRET_KEY',
  'METRICS_TOKEN',
])

/** The settings that are or contain a secret. The setting NAME_FILE names a file with the value of each. */
export const secretSettings: readonly SettingName[] = [
  'PULT_SECRET',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'SMTP_URL',
  'FILES_S3_ACCESS_KEY',
  'FILES_S3_SECRET_KEY',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
]

export const fileSettingOf = (name: SettingName) => `${name}_FILE`

type Environment = Record<string, string | undefined>

/**
 * Returns the value of a setting; undefined if it is empty. Throws an error whose message names the setting if the
 * file of a secret cannot be read.
 */
export function settingIn(environment: Environment, name: SettingName): string | undefined {
  const given = secretSettings.includes(name) ? secretIn(environment, name) : environment[name]
  // An empty setting counts as unset. Otherwise it would be converted to the number 0.
  if (given === undefined || given.trim() === '') return undefined
  return verbatim.has(name) ? given : unquoted(given)
}

function secretIn(environment: Environment, name: SettingName): string | undefined {
  const fileSetting = fileSettingOf(name)
  const path = unquoted(environment[fileSetting] ?? '')
  if (path === undefined) return environment[name]
  if ((environment[name] ?? '').trim() !== '')
    throw new Error(`The settings ${name} and ${fileSetting} are both set. Remove one of them`)
  const content = textOf(path, fileSetting)
  // An empty file is a mistake: without a secret the server would start as another installation.
  if (content.trim() === '') throw new Error(`The setting ${fileSetting} names an empty file: ${path}`)
  return content
}

function textOf(path: string, fileSetting: string): string {
  try {
    // Editors and `echo` end a file with a line feed, and some tools add another one.
    return readFileSync(path, 'utf8').replace(/(?<![\r\n])[\r\n]+$/, '')
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    throw new Error(
      `The setting ${fileSetting} names a file that cannot be read${reason}: ${path}. Check that it exists and that the user of the server may read it`,
      { cause },
    )
  }
}

/** Where buckets are, and the key that opens them. */
export interface S3Account {
  /** Undefined for the endpoint of AWS. */
  endpoint: string | undefined
  region: string
  accessKey: string
  secretKey: string
  /** The bucket is the first segment of the path instead of a part of the host name. */
  pathStyle: boolean
}

/** The bucket that stores the files. */
export interface S3Config extends S3Account {
  bucket: string
}

export interface BackupConfig {
  /** The absolute path of a folder, or s3://bucket/prefix; undefined without backups. */
  folder: string | undefined
  /** For a bucket. */
  account: S3Account | undefined
  /** The public key that backups are encrypted to. */
  recipient: string | undefined
  /** The fingerprint on the emergency sheet of this public key. */
  signer: string | undefined
  /** Number of days whose newest archives are kept, and the days after which an archive is deleted. */
  keep: number
  keepDays: number | undefined
  schedule: 'off' | 'hourly' | 'daily' | 'weekly'
  /** The hour of the schedule in the time zone of the server. */
  hour: number
  /** Which backups are restored on trial: each, one a day or week, or none. */
  drill: 'off' | 'each' | 'daily' | 'weekly'
}

export interface Config {
  port: number
  /** The address to listen on; `localhost` means both loopback addresses. */
  host: string
  /** The public origin, without a slash at the end. Links, passkeys and allowed origins come from here only. */
  publicUrl: string
  dataFolder: string | undefined
  databaseUrl: string | undefined
  /** The replicas that serve heavy reads. */
  databaseReplicaUrl: string | undefined
  secret: string | undefined
  rootEmail: string
  smtpUrl: string | undefined
  mailFrom: Mailbox
  trustedProxies: string[]
  /** Origins that may open sockets in addition to the public one, for an author's own dev server. */
  devOrigins: string[]
  contactUrl: string | null
  privacyUrl: string | null
  imprintUrl: string | null
  serviceWorker: boolean
  /** Bytes of one file and of all files of a project. */
  fileMaxSize: number
  fileQuota: number
  /** Bytes of all files of the installation; undefined for the default of the store. */
  fileTotal: number | 'off' | undefined
  /** Bytes of the values over time of all edges of a project. */
  edgeValuesQuota: number
  /** Bytes of the disk that files leave free. */
  diskReserve: number
  /** The file folder; undefined for the one in the data folder. */
  filesFolder: string | undefined
  /** The file store that replaces the folder. */
  filesS3: S3Config | undefined
  /** Maximum number that a user other than root may own. */
  projectsPerPerson: number
  organisationsPerPerson: number
  /** Passkey sign-ins that one network, or one known browser, may begin in ten minutes. */
  passkeyOptionsPerNetwork: number
  /** Maximum number of sockets of one node without a token, for consoles and for agents: in all and per network. */
  unauthenticatedSockets: { all: number; network: number }
  backup: BackupConfig
  /** Seconds for which a stopping server still answers calls while its readiness check fails. */
  stopDelay: number
  logLevel: LogLevel
  /** Logs a line for each request. */
  accessLog: boolean
  /** The token that reads the metrics; undefined for requests from this machine only. */
  metricsToken: string | undefined
  /** The collector of traces; undefined for none. */
  tracing: TracingConfig | undefined
}

export const settingNames = Object.keys(settings.shape) as SettingName[]

/** Reads the settings. Throws an error whose message has one line for each invalid or missing setting. */
export function readConfig(environment: Environment): Config {
  const unreadable: string[] = []
  const read = (name: SettingName) => {
    try {
      return settingIn(environment, name)
    } catch (error) {
      unreadable.push(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
  const parsed = settings.safeParse(Object.fromEntries(settingNames.map((name) => [name, read(name)])))
  if (!parsed.success || unreadable.length > 0) {
    const faults = new Map<string, string>()
    for (const { path, message } of parsed.error?.issues ?? []) {
      const name = String(path[0])
      if (!faults.has(name)) faults.set(name, message)
    }
    const lines = [...faults].map(([name, message]) => faultLine(name as SettingName, message))
    throw new Error([...unreadable, ...lines].join('\n'))
  }
  const given = parsed.data
  const missing = missingIn(given)
  if (missing.length > 0) throw new Error(missing.join('\n'))

  const publicOrigin = new URL(given.PULT_URL ?? `http://localhost:${given.PORT}`)
  const { hostname } = publicOrigin
  return {
    port: given.PORT,
    // Without a public URL, the server is reachable only from this machine.
    host: given.HOST ?? (given.PULT_URL === undefined ? 'localhost' : '::'),
    publicUrl: publicOrigin.origin,
    dataFolder: given.PULT_DATA === undefined ? undefined : resolve(given.PULT_DATA),
    databaseUrl: given.DATABASE_URL,
    databaseReplicaUrl: given.DATABASE_REPLICA_URL,
    secret: given.PULT_SECRET,
    rootEmail: given.ROOT_EMAIL ?? `root@${hostname}`,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM ?? { name: 'Pult', address: `pult@${mailDomain(hostname)}` },
    trustedProxies: given.TRUSTED_PROXIES,
    devOrigins: given.DEV_ORIGINS.map((origin) => new URL(origin).origin),
    contactUrl: given.CONTACT_URL ?? null,
    privacyUrl: given.PRIVACY_URL ?? null,
    imprintUrl: given.IMPRINT_URL ?? null,
    serviceWorker: given.SERVICE_WORKER === 'on',
    fileMaxSize: given.FILE_MAX_SIZE,
    fileQuota: given.FILE_QUOTA,
    fileTotal: given.FILE_TOTAL,
    edgeValuesQuota: given.EDGE_VALUES_QUOTA,
    diskReserve: given.DISK_RESERVE,
    filesFolder: given.FILES_FOLDER === undefined ? undefined : resolve(given.FILES_FOLDER),
    filesS3: s3Of(given),
    projectsPerPerson: given.PROJECTS_PER_PERSON,
    organisationsPerPerson: given.ORGANISATIONS_PER_PERSON,
    passkeyOptionsPerNetwork: given.PASSKEY_OPTIONS_PER_NETWORK,
    unauthenticatedSockets: {
      all: given.UNAUTHENTICATED_SOCKETS,
      network: given.UNAUTHENTICATED_SOCKETS_PER_NETWORK,
    },
    backup: {
      folder: backupPlace(given.BACKUP_FOLDER),
      account: accountOf(given, backupPlace(given.BACKUP_FOLDER)),
      recipient: given.BACKUP_RECIPIENT?.split('.')[0],
      signer: given.BACKUP_RECIPIENT?.split('.')[1],
      keep: given.BACKUP_KEEP,
      keepDays: given.BACKUP_KEEP_DAYS,
      schedule: given.BACKUP_SCHEDULE,
      hour: given.BACKUP_HOUR,
      drill: given.BACKUP_DRILL ?? (given.BACKUP_SCHEDULE === 'hourly' ? 'daily' : 'each'),
    },
    stopDelay: given.STOP_DELAY,
    logLevel: given.LOG_LEVEL,
    accessLog: given.ACCESS_LOG === 'on',
    metricsToken: given.METRICS_TOKEN,
    tracing:
      given.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: given.OTEL_EXPORTER_OTLP_HEADERS,
            serviceName: given.OTEL_SERVICE_NAME,
            ratio: given.OTEL_TRACES_SAMPLER_ARG,
          },
  }
}

type Given = z.output<typeof settings>

/** Messages that name their own example end with it. */
function faultLine(name: SettingName, message: string): string {
  const example = examples[name]
  const isShown = example === null || message.includes('for example')
  return `The setting ${name} ${message}${isShown ? '' : `, for example ${name}=${example}`}`
}

/** Returns a line for each setting that another one requires. */
function missingIn(given: Given): string[] {
  const lines: string[] = []
  const need = (name: SettingName, reason: string, hint = '') => {
    const example = examples[name]
    const form = example === null ? '' : `, for example ${name}=${example}`
    if (given[name] === undefined) lines.push(`The setting ${name} is needed with ${reason}${hint}${form}`)
  }
  if (given.DATABASE_URL !== undefined)
    need(
      'PULT_SECRET',
      'DATABASE_URL',
      ': all nodes share it, and it is kept outside the database. Create it with `openssl rand -base64 32`',
    )
  if (given.DATABASE_REPLICA_URL !== undefined) need('DATABASE_URL', 'DATABASE_REPLICA_URL')
  const isBackupInBucket = isBucket(given.BACKUP_FOLDER ?? '')
  if (given.FILES_S3_ENDPOINT !== undefined && !isBackupInBucket) need('FILES_S3_BUCKET', 'FILES_S3_ENDPOINT')
  const reason = given.FILES_S3_BUCKET === undefined ? 'BACKUP_FOLDER=s3://…' : 'FILES_S3_BUCKET'
  if (given.FILES_S3_BUCKET !== undefined || isBackupInBucket) {
    need('FILES_S3_ACCESS_KEY', reason)
    need('FILES_S3_SECRET_KEY', reason)
  }
  return lines
}

const isBucket = (place: string) => place.startsWith('s3://')

/** A folder gets its absolute path; a bucket keeps its address, without a slash at its end. */
function backupPlace(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  return isBucket(given) ? given.replace(/(?<!\/)\/+$/, '') : resolve(given)
}

/** Naming a bucket selects S3. */
function s3Of(given: Given): S3Config | undefined {
  const { FILES_S3_BUCKET: name } = given
  return name === undefined ? undefined : { ...s3Account(given), bucket: name }
}

const accountOf = (given: Given, place: string | undefined) =>
  place !== undefined && isBucket(place) ? s3Account(given) : undefined

/** Files and backups use the same account, whose keys are set: see `missingIn`. */
const s3Account = (given: Given): S3Account => ({
  endpoint: given.FILES_S3_ENDPOINT,
  region: given.FILES_S3_REGION,
  accessKey: given.FILES_S3_ACCESS_KEY ?? '',
  secretKey: given.FILES_S3_SECRET_KEY ?? '',
  pathStyle: given.FILES_S3_PATH_STYLE === 'on',
})
