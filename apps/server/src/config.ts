import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { limits } from '@pult/contract'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { faultOfDatabaseUrl, faultOfReplicaUrl } from '#platform/database/hosts.ts'
import { type LogLevel, logLevels } from '#platform/log.ts'
import { pult } from '#platform/program-name.ts'
import type { TracingConfig } from '#platform/tracing.ts'

/*
 * Every setting with its meaning. docs/operations/settings.md describes the same settings; a test compares them.
 */

const url = (protocols: readonly string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    abort: true,
    error: `must be a url that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })

const databaseUrl = (faultOf: (value: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = faultOf(value)
    if (message !== undefined) context.addIssue(message)
  })

const publicUrl = url(['http:', 'https:']).refine(
  (value) => {
    const { pathname, search, hash, username } = new URL(value)
    return pathname === '/' && search === '' && hash === '' && username === ''
  },
  { error: 'must be an origin: scheme, host and port, without a path' },
)

const addressOrRange = z.string().refine((value) => isIP(value) !== 0 || ipaddr.isValidCIDR(value), {
  error: 'must be a list of addresses or ranges like 10.0.0.0/8, separated by commas',
})

const list = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== '')
        : value,
    z.array(item),
  )

/** `key=value` pairs, separated by commas, with percent-encoded values, as OpenTelemetry writes them. */
const pairs = z
  .string()
  .regex(/^\s*[\w-]+=[\w.~!*'()%+/:;@$&= -]*(?:,\s*[\w-]+=[\w.~!*'()%+/:;@$&= -]*)*$/, {
    error: 'must be a list of key=value, separated by commas',
  })
  .transform((text) =>
    Object.fromEntries(
      text.split(',').map((pair) => {
        const [key = '', ...value] = pair.split('=')
        return [key.trim().toLowerCase(), decodeURIComponent(value.join('=').trim())] as const
      }),
    ),
  )

const bytes = (least: number, most: number) =>
  z.coerce.number({ error: 'must be a number of bytes' }).int().min(least).max(most)

const records = z.coerce.number({ error: 'must be a number' }).int().min(0)

const settings = z.object({
  PORT: z.coerce.number({ error: 'must be a port' }).int().min(0).max(65535).default(8080),
  HOST: z.string().optional(),
  PULT_URL: publicUrl.optional(),
  PULT_DATA: z.string().optional(),
  DATABASE_URL: databaseUrl(faultOfDatabaseUrl).optional(),
  DATABASE_REPLICA_URL: databaseUrl(faultOfReplicaUrl).optional(),
  PULT_SECRET: z
    .string()
    .min(32, { error: 'must have at least 32 characters, for example from `openssl rand -base64 32`' })
    .optional(),
  ROOT_EMAIL: z
    .string()
    .regex(/^[^\s@,<>]+@[^\s@,<>]+$/, { error: 'must be an e-mail address' })
    .optional(),
  SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z.string().optional(),
  TRUSTED_PROXIES: list(addressOrRange).default([]),
  DEV_ORIGINS: list(publicUrl).default([]),
  CONTACT_URL: url(['http:', 'https:', 'mailto:']).optional(),
  PRIVACY_URL: url(['http:', 'https:']).optional(),
  IMPRINT_URL: url(['http:', 'https:']).optional(),
  SERVICE_WORKER: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  FILE_MAX_SIZE: bytes(1, limits.fileBytesMax).default(5 * 1024 ** 3),
  FILE_QUOTA: bytes(0, 1024 ** 5).default(20 * 1024 ** 3),
  FILE_TOTAL: z
    .union([z.literal('off'), bytes(0, 1024 ** 5)], { error: 'must be a number of bytes, or off' })
    .optional(),
  EDGE_VALUES_QUOTA: bytes(1024 ** 2, 1024 ** 5).default(1024 ** 3),
  DISK_RESERVE: bytes(0, 1024 ** 4).default(512 * 1024 ** 2),
  FILES_FOLDER: z.string().optional(),
  FILES_S3_ENDPOINT: url(['http:', 'https:']).optional(),
  FILES_S3_REGION: z.string().default('us-east-1'),
  FILES_S3_BUCKET: z.string().optional(),
  FILES_S3_ACCESS_KEY: z.string().optional(),
  FILES_S3_SECRET_KEY: z.string().optional(),
  FILES_S3_PATH_STYLE: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  PROJECTS_PER_PERSON: records.default(100),
  ORGANISATIONS_PER_PERSON: records.default(20),
  PASSKEY_OPTIONS_PER_NETWORK: records.min(1).default(300),
  UNAUTHENTICATED_SOCKETS: records.min(1).default(2000),
  UNAUTHENTICATED_SOCKETS_PER_NETWORK: records.min(1).default(300),
  ACCESS_LOG: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
  METRICS_TOKEN: z
    .string()
    .min(16, { error: 'must have at least 16 characters, for example from `openssl rand -hex 16`' })
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:']).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.default({}),
  OTEL_SERVICE_NAME: z.string().default('pult'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a share from 0 to 1' })
    .min(0, { error: 'must be a share from 0 to 1' })
    .max(1, { error: 'must be a share from 0 to 1' })
    .default(1),
  BACKUP_FOLDER: z.string().optional(),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[02-9ac-hj-np-z]{58}$/, { error: `must be the line of ${pult('backup key')}` })
    .optional(),
  BACKUP_KEEP: z.coerce.number({ error: 'must be a number' }).int().min(1).default(14),
  BACKUP_KEEP_DAYS: z.coerce.number({ error: 'must be a number of days' }).int().min(1).optional(),
  BACKUP_SCHEDULE: z
    .enum(['off', 'daily', 'weekly'], { error: 'must be off, daily or weekly' })
    .default('daily'),
  BACKUP_HOUR: z.coerce.number({ error: 'must be an hour from 0 to 23' }).int().min(0).max(23).default(2),
  BACKUP_DRILL: z.enum(['off', 'each', 'weekly'], { error: 'must be off, each or weekly' }).default('each'),
  STOP_DELAY: z.coerce.number({ error: 'must be a number of seconds' }).int().min(0).max(300).default(0),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
})

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
  /** Number of archives to keep, and the days after which an archive is deleted. */
  keep: number
  keepDays: number | undefined
  schedule: 'off' | 'daily' | 'weekly'
  /** The hour of the schedule in the time zone of the server. */
  hour: number
  /** Which scheduled backups are restored on trial: each, one a week, or none. */
  drill: 'off' | 'each' | 'weekly'
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
  mailFrom: string
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

export const settingNames = Object.keys(settings.shape)

/** Reads the settings. Throws an error whose one-line message names the invalid setting. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  // An empty setting counts as unset. Otherwise it would be converted to the number 0.
  const set = Object.entries(environment).filter(([, value]) => value?.trim() !== '')
  const parsed = settings.safeParse(Object.fromEntries(set))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new Error(`The setting ${issue?.path[0]?.toString() ?? ''} ${issue?.message ?? 'is not valid'}`)
  }
  const given = parsed.data
  if (given.DATABASE_URL !== undefined && given.PULT_SECRET === undefined) {
    throw new Error(
      'The setting PULT_SECRET is needed with DATABASE_URL: all nodes share it, and it is kept outside the database',
    )
  }
  if (given.DATABASE_REPLICA_URL !== undefined && given.DATABASE_URL === undefined)
    throw new Error('The setting DATABASE_URL is needed with DATABASE_REPLICA_URL')

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
    mailFrom: given.MAIL_FROM ?? `Pult <pult@${hostname}>`,
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
      recipient: given.BACKUP_RECIPIENT,
      keep: given.BACKUP_KEEP,
      keepDays: given.BACKUP_KEEP_DAYS,
      schedule: given.BACKUP_SCHEDULE,
      hour: given.BACKUP_HOUR,
      drill: given.BACKUP_DRILL,
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

const isBucket = (place: string) => place.startsWith('s3://')

/** A folder gets its absolute path; a bucket keeps its address, without a slash at its end. */
function backupPlace(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  return isBucket(given) ? given.replace(/\/+$/, '') : resolve(given)
}

/** Naming a bucket selects S3; the other S3 settings are then required. */
function s3Of(given: Given): S3Config | undefined {
  const { FILES_S3_BUCKET: bucket, FILES_S3_ENDPOINT: endpoint } = given
  if (bucket !== undefined) return { ...s3Account(given, 'FILES_S3_BUCKET'), bucket }
  if (endpoint === undefined || isBucket(given.BACKUP_FOLDER ?? '')) return undefined
  throw new Error('The setting FILES_S3_BUCKET is needed with FILES_S3_ENDPOINT')
}

const accountOf = (given: Given, place: string | undefined) =>
  place !== undefined && isBucket(place) ? s3Account(given, 'BACKUP_FOLDER=s3://…') : undefined

/** Files and backups use the same account. */
function s3Account(given: Given, reason: string): S3Account {
  const {
    FILES_S3_ACCESS_KEY: accessKey,
    FILES_S3_SECRET_KEY: secretKey,
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_REGION: region,
  } = given
  if (accessKey === undefined || secretKey === undefined) {
    const missing = accessKey === undefined ? 'FILES_S3_ACCESS_KEY' : 'FILES_S3_SECRET_KEY'
    throw new Error(`The setting ${missing} is needed with ${reason}`)
  }
  return { endpoint, region, accessKey, secretKey, pathStyle: given.FILES_S3_PATH_STYLE === 'on' }
}
