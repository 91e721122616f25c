import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { limits } from '@pult/contract'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { type LogLevel, logLevels } from '#platform/log.ts'

/*
 * Every setting, with its meaning. docs/operations/settings.md says the same in prose; a test keeps both in step.
 */

const url = (protocols: readonly string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    abort: true,
    error: `must be a url that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
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

const bytes = (least: number, most: number) =>
  z.coerce.number({ error: 'must be a number of bytes' }).int().min(least).max(most)

const settings = z.object({
  PORT: z.coerce.number({ error: 'must be a port' }).int().min(0).max(65535).default(8080),
  HOST: z.string().optional(),
  PULT_URL: publicUrl.optional(),
  PULT_DATA: z.string().optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
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
  FILES_FOLDER: z.string().optional(),
  FILES_S3_ENDPOINT: url(['http:', 'https:']).optional(),
  FILES_S3_REGION: z.string().default('us-east-1'),
  FILES_S3_BUCKET: z.string().optional(),
  FILES_S3_ACCESS_KEY: z.string().optional(),
  FILES_S3_SECRET_KEY: z.string().optional(),
  FILES_S3_PATH_STYLE: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
})

/** A bucket that keeps the files. */
export interface S3Config {
  /** Undefined for the one of AWS. */
  endpoint: string | undefined
  region: string
  bucket: string
  accessKey: string
  secretKey: string
  /** The bucket is the first part of the path instead of the host's name. */
  pathStyle: boolean
}

export interface Config {
  port: number
  /** The address to listen on; `localhost` stands for both loopback addresses. */
  host: string
  /** The public origin, without a slash at the end. Links, passkeys and allowed origins come from here only. */
  publicUrl: string
  dataFolder: string | undefined
  databaseUrl: string | undefined
  secret: string | undefined
  rootEmail: string
  smtpUrl: string | undefined
  mailFrom: string
  trustedProxies: string[]
  /** Origins that may open sockets beside the public one, for an author's own dev server. */
  devOrigins: string[]
  contactUrl: string | null
  privacyUrl: string | null
  imprintUrl: string | null
  serviceWorker: boolean
  /** Bytes of one file, and of all files of a project. */
  fileMaxSize: number
  fileQuota: number
  /** Where files are kept; undefined for the data folder's. */
  filesFolder: string | undefined
  /** Where files are kept instead. */
  filesS3: S3Config | undefined
  logLevel: LogLevel
}

/** The names of all settings. */
export const settingNames = Object.keys(settings.shape)

/** Reads the settings, or throws an error whose message is one line that names the wrong one. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  // One that is set but empty counts as not set, before a number is made of it: that would be 0.
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

  const publicOrigin = new URL(given.PULT_URL ?? `http://localhost:${given.PORT}`)
  const { hostname } = publicOrigin
  return {
    port: given.PORT,
    // Without a public address nobody else is meant to reach the server.
    host: given.HOST ?? (given.PULT_URL === undefined ? 'localhost' : '::'),
    publicUrl: publicOrigin.origin,
    dataFolder: given.PULT_DATA === undefined ? undefined : resolve(given.PULT_DATA),
    databaseUrl: given.DATABASE_URL,
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
    filesFolder: given.FILES_FOLDER === undefined ? undefined : resolve(given.FILES_FOLDER),
    filesS3: s3Of(given),
    logLevel: given.LOG_LEVEL,
  }
}

/** The bucket's name has files kept there; then the rest is needed too. */
function s3Of(given: z.output<typeof settings>): S3Config | undefined {
  const {
    FILES_S3_BUCKET: bucket,
    FILES_S3_ACCESS_KEY: accessKey,
    FILES_S3_SECRET_KEY: secretKey,
    FILES_S3_ENDPOINT: endpoint,
  } = given
  if (bucket === undefined) {
    if (endpoint === undefined) return undefined
    throw new Error('The setting FILES_S3_BUCKET is needed with FILES_S3_ENDPOINT')
  }
  if (accessKey === undefined || secretKey === undefined) {
    const missing = accessKey === undefined ? 'FILES_S3_ACCESS_KEY' : 'FILES_S3_SECRET_KEY'
    throw new Error(`The setting ${missing} is needed with FILES_S3_BUCKET`)
  }
  const pathStyle = given.FILES_S3_PATH_STYLE === 'on'
  return { endpoint, region: given.FILES_S3_REGION, bucket, accessKey, secretKey, pathStyle }
}
