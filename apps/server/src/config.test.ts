import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { examples, fileSettingOf, readConfig, secretSettings, settingNames } from './config.ts'
import { unknownSettings } from './unknown-settings.ts'

const secret = 's'.repeat(32)
const recipient = `age1${'q'.repeat(58)}`
const signer = `PULT-SIGNER-${'0123456789ABCDEF'.repeat(2)}`

const defaults = {
  port: 8080,
  host: 'localhost',
  publicUrl: 'http://localhost:8080',
  dataFolder: undefined,
  databaseUrl: undefined,
  databaseReplicaUrl: undefined,
  secret: undefined,
  rootEmail: 'root@localhost',
  smtpUrl: undefined,
  mailFrom: { name: 'Pult', address: 'pult@localhost' },
  trustedProxies: [],
  devOrigins: [],
  contactUrl: null,
  privacyUrl: null,
  imprintUrl: null,
  stopDelay: 0,
  serviceWorker: true,
  fileMaxSize: 5 * 1024 ** 3,
  fileQuota: 20 * 1024 ** 3,
  fileTotal: undefined,
  edgeValuesQuota: 1024 ** 3,
  diskReserve: 512 * 1024 ** 2,
  filesFolder: undefined,
  filesS3: undefined,
  projectsPerPerson: 100,
  organisationsPerPerson: 20,
  passkeyOptionsPerNetwork: 300,
  unauthenticatedSockets: { all: 2000, network: 300 },
  backup: {
    folder: undefined,
    account: undefined,
    recipient: undefined,
    signer: undefined,
    keep: 14,
    keepDays: undefined,
    schedule: 'daily',
    hour: 2,
    drill: 'each',
  },
  logLevel: 'info',
  accessLog: false,
  metricsToken: undefined,
  tracing: undefined,
}

test('with hourly backups one a day is restored on trial, unless BACKUP_DRILL is set', () => {
  const drillOf = (environment: Record<string, string>) => readConfig(environment).backup.drill
  expect(drillOf({})).toBe('each')
  expect(drillOf({ BACKUP_SCHEDULE: 'hourly' })).toBe('daily')
  expect(drillOf({ BACKUP_SCHEDULE: 'hourly', BACKUP_DRILL: 'each' })).toBe('each')
})

test('the defaults listen on loopback with the name localhost', () => {
  expect(readConfig({})).toEqual(defaults)
})

test('an empty setting counts as unset', () => {
  for (const value of ['', '  '])
    expect(readConfig(Object.fromEntries(settingNames.map((name) => [name, value])))).toEqual(defaults)
  expect(readConfig({ FILE_QUOTA: '0', STOP_DELAY: '0' })).toMatchObject({ fileQuota: 0, stopDelay: 0 })
})

test('FILE_TOTAL=off lifts the limit of all files, and 0 permits none', () => {
  expect(readConfig({ FILE_TOTAL: 'off' }).fileTotal).toBe('off')
  expect(readConfig({ FILE_TOTAL: '0' }).fileTotal).toBe(0)
})

test('DEC-44 the server listens on all interfaces only when PULT_URL is set', () => {
  expect(readConfig({ PULT_URL: 'https://pult.example.org/' })).toMatchObject({
    host: '::',
    publicUrl: 'https://pult.example.org',
    rootEmail: 'root@pult.example.org',
    mailFrom: { name: 'Pult', address: 'pult@pult.example.org' },
  })
  expect(readConfig({ PULT_URL: 'https://pult.example.org', HOST: '127.0.0.1' }).host).toBe('127.0.0.1')
})

test('every setting takes effect as given', () => {
  const given = {
    PORT: '80',
    HOST: '192.0.2.1',
    PULT_URL: 'https://pult.example.org:8443',
    PULT_DATA: 'somewhere',
    DATABASE_URL: 'postgresql://pult@db/pult',
    DATABASE_REPLICA_URL: 'postgresql://pult@db-2,db-3:5433/pult',
    PULT_SECRET: secret,
    ROOT_EMAIL: 'grace@example.org',
    SMTP_URL: 'smtps://mail.example.org',
    MAIL_FROM: 'Desk <desk@example.org>',
    TRUSTED_PROXIES: ' 10.0.0.0/8,, 2001:db8::/32 ,192.0.2.7,::1',
    DEV_ORIGINS: 'http://localhost:5173/, https://dev.example.org',
    CONTACT_URL: 'mailto:desk@example.org',
    PRIVACY_URL: 'https://example.org/privacy',
    IMPRINT_URL: 'http://example.org/imprint',
    SERVICE_WORKER: 'off',
    FILE_MAX_SIZE: '1000',
    FILE_QUOTA: '5000',
    FILE_TOTAL: '9000',
    EDGE_VALUES_QUOTA: '1048576',
    DISK_RESERVE: '3000',
    FILES_FOLDER: 'elsewhere',
    FILES_S3_ENDPOINT: 'https://s3.example.org',
    FILES_S3_REGION: 'eu-central-1',
    FILES_S3_BUCKET: 'pult',
    FILES_S3_ACCESS_KEY: 'key',
    FILES_S3_SECRET_KEY: 'geheim',
    FILES_S3_PATH_STYLE: 'off',
    PROJECTS_PER_PERSON: '7',
    ORGANISATIONS_PER_PERSON: '3',
    PASSKEY_OPTIONS_PER_NETWORK: '900',
    UNAUTHENTICATED_SOCKETS: '500',
    UNAUTHENTICATED_SOCKETS_PER_NETWORK: '40',
    BACKUP_FOLDER: 's3://vault/pult/',
    BACKUP_RECIPIENT: `${recipient}.${signer}`,
    BACKUP_KEEP: '3',
    BACKUP_KEEP_DAYS: '90',
    BACKUP_SCHEDULE: 'weekly',
    BACKUP_HOUR: '4',
    BACKUP_DRILL: 'off',
    STOP_DELAY: '12',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    ACCESS_LOG: 'on',
    METRICS_TOKEN: 'scraper-0123456789',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'Api-Key=a%20b, x-team=ops',
    OTEL_SERVICE_NAME: 'pult-hamburg',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  }
  expect(Object.keys(given).toSorted()).toEqual(settingNames.toSorted())
  expect(readConfig(given)).toEqual({
    port: 80,
    host: '192.0.2.1',
    publicUrl: 'https://pult.example.org:8443',
    dataFolder: resolve('somewhere'),
    databaseUrl: 'postgresql://pult@db/pult',
    databaseReplicaUrl: 'postgresql://pult@db-2,db-3:5433/pult',
    secret,
    rootEmail: 'grace@example.org',
    smtpUrl: 'smtps://mail.example.org',
    mailFrom: { name: 'Desk', address: 'desk@example.org' },
    trustedProxies: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7', '::1'],
    devOrigins: ['http://localhost:5173', 'https://dev.example.org'],
    contactUrl: 'mailto:desk@example.org',
    privacyUrl: 'https://example.org/privacy',
    imprintUrl: 'http://example.org/imprint',
    serviceWorker: false,
    fileMaxSize: 1000,
    fileQuota: 5000,
    fileTotal: 9000,
    edgeValuesQuota: 1048576,
    diskReserve: 3000,
    filesFolder: resolve('elsewhere'),
    filesS3: {
      endpoint: 'https://s3.example.org',
      region: 'eu-central-1',
      bucket: 'pult',
      accessKey: 'key',
      secretKey: 'geheim',
      pathStyle: false,
    },
    projectsPerPerson: 7,
    organisationsPerPerson: 3,
    passkeyOptionsPerNetwork: 900,
    unauthenticatedSockets: { all: 500, network: 40 },
    backup: {
      folder: 's3://vault/pult',
      account: {
        endpoint: 'https://s3.example.org',
        region: 'eu-central-1',
        accessKey: 'key',
        secretKey: 'geheim',
        pathStyle: false,
      },
      recipient,
      signer,
      keep: 3,
      keepDays: 90,
      schedule: 'weekly',
      hour: 4,
      drill: 'off',
    },
    stopDelay: 12,
    logLevel: 'warn',
    accessLog: true,
    metricsToken: 'scraper-0123456789',
    tracing: {
      endpoint: 'http://collector:4318',
      headers: { 'api-key': 'a b', 'x-team': 'ops' },
      serviceName: 'pult-hamburg',
      ratio: 0.25,
    },
  })
})

test.each([
  ['PORT', 'eighty', 'must be a port'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['PULT_URL', 'pult.example.org', 'must be a URL that starts with http:// or https://'],
  ['PULT_URL', 'https://example.org/pult', 'must be an origin: scheme, host and port, without a path'],
  ['PULT_URL', 'https://example.org/?a=b'],
  ['PULT_URL', 'https://example.org/#a'],
  ['PULT_URL', 'https://root@example.org'],
  ['PULT_URL', 'ftp://example.org'],
  ['DATABASE_URL', 'mysql://localhost/pult', 'must be a URL that starts with postgres'],
  ['DATABASE_REPLICA_URL', 'postgres://one/pult?target_session_attrs=primary', 'must not ask for a host'],
  ['DATABASE_REPLICA_URL', 'one', 'must be a URL that starts with postgres'],
  ['PULT_SECRET', 's'.repeat(31), 'must have at least 32 characters'],
  ['ROOT_EMAIL', 'a@x, evil@y'],
  ['ROOT_EMAIL', 'Grace <grace@example.org>'],
  ['SMTP_URL', 'http://mail'],
  ['TRUSTED_PROXIES', '10.0.0.0/8, proxy'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/8;192.0.2.7'],
  ['DEV_ORIGINS', 'localhost'],
  ['DEV_ORIGINS', 'http://localhost:5173, http://localhost/path'],
  ['CONTACT_URL', 'javascript:alert(1)'],
  ['PRIVACY_URL', 'javascript:alert(1)'],
  ['IMPRINT_URL', 'data:text/html,x'],
  ['BACKUP_RECIPIENT', 'AGE-SECRET-KEY-1'],
  ['BACKUP_RECIPIENT', recipient],
  ['BACKUP_KEEP', '0'],
  ['LOG_LEVEL', 'loud'],
  ['LOG_FORMAT', 'text'],
  ['SERVICE_WORKER', 'maybe', 'must be on or off'],
  ['FILE_MAX_SIZE', '5 GiB', 'must be a number of bytes'],
  ['FILE_MAX_SIZE', '17179869185'],
  ['FILE_QUOTA', '-1'],
  ['FILE_TOTAL', 'all', 'must be a number of bytes, or off'],
  ['FILE_TOTAL', '-1'],
  ['PROJECTS_PER_PERSON', 'many', 'must be a whole number'],
  ['ORGANISATIONS_PER_PERSON', '-1'],
  ['PASSKEY_OPTIONS_PER_NETWORK', '0'],
  ['PASSKEY_OPTIONS_PER_NETWORK', 'all', 'must be a whole number'],
  ['UNAUTHENTICATED_SOCKETS', '0'],
  ['UNAUTHENTICATED_SOCKETS_PER_NETWORK', 'many', 'must be a whole number'],
  ['FILES_S3_ENDPOINT', 's3.example.org'],
  ['FILES_S3_PATH_STYLE', 'yes', 'must be on or off'],
])('the setting %s=%s is rejected with one line that names it', (name, value, words = '') => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^The setting ${name} .*${words}[^\\n]*$`))
})

test('RULE-79 an external database requires PULT_SECRET', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://localhost/pult' })).toThrow(/PULT_SECRET is needed/)
  const { databaseUrl } = readConfig({ DATABASE_URL: 'postgres://localhost/pult', PULT_SECRET: secret })
  expect(databaseUrl).toBe('postgres://localhost/pult')
})

test('replicas require the primary', () => {
  const replica = { DATABASE_REPLICA_URL: 'postgres://two/pult' }
  expect(() => readConfig(replica)).toThrow('The setting DATABASE_URL is needed with DATABASE_REPLICA_URL')
})

test('a bucket requires all its settings', () => {
  const bucket = { FILES_S3_BUCKET: 'pult' }
  const key = { ...bucket, FILES_S3_ACCESS_KEY: 'key' }
  expect(() => readConfig({ FILES_S3_ENDPOINT: 'https://s3' })).toThrow(/FILES_S3_BUCKET is needed/)
  expect(() => readConfig(bucket)).toThrow(/FILES_S3_ACCESS_KEY is needed/)
  expect(() => readConfig(key)).toThrow(/FILES_S3_SECRET_KEY is needed/)
  expect(readConfig({ ...key, FILES_S3_SECRET_KEY: 'geheim' }).filesS3).toEqual({
    endpoint: undefined,
    region: 'us-east-1',
    bucket: 'pult',
    accessKey: 'key',
    secretKey: 'geheim',
    pathStyle: true,
  })
})

test('the documentation describes every setting and no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/operations/settings.md'), 'utf8')
  const documented = [...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name)
  expect(documented.toSorted()).toEqual(settingNames.toSorted())
})

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-secrets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('moghtech/komodo#737 every secret can come from a file, without the line feeds at its end', async () => {
  const folder = await openFolder()
  const values: Record<string, string> = {
    ...Object.fromEntries(secretSettings.map((name) => [name, examples[name] ?? ''])),
    PULT_SECRET: ` ${secret}"`,
    FILES_S3_ACCESS_KEY: 'key',
    FILES_S3_SECRET_KEY: 'geheim',
    METRICS_TOKEN: 'scraper-0123456789',
  }
  const bucket = { FILES_S3_BUCKET: 'pult' }
  const expected = readConfig({ ...bucket, ...values })
  for (const end of ['', '\n', '\r\n', '\n\n', '\r\n\r\n']) {
    const files = await Promise.all(
      secretSettings.map(async (name) => {
        const path = join(folder, name)
        await writeFile(path, `${values[name]}${end}`)
        return [fileSettingOf(name), path] as const
      }),
    )
    const given = { ...bucket, ...Object.fromEntries(files) }
    expect(readConfig(given)).toEqual(expected)
    expect(unknownSettings(given)).toEqual([])
  }
})

test('a setting whose form permits a password can come from a file', () => {
  const withPassword = settingNames.filter((name) => /\/\/\w+:\w+@/.test(examples[name] ?? ''))
  expect(withPassword).not.toEqual([])
  expect(secretSettings).toEqual(expect.arrayContaining(withPassword))
})

test('a secret that is given twice, an unreadable file and an empty one are refused in one line each', async () => {
  const folder = await openFolder()
  const empty = join(folder, 'empty')
  await writeFile(empty, '\n')
  const lines = (environment: Record<string, string>) => {
    try {
      readConfig(environment)
      return []
    } catch (error) {
      return (error as Error).message.split('\n')
    }
  }
  expect(
    lines({
      PULT_SECRET: secret,
      PULT_SECRET_FILE: empty,
      SMTP_URL_FILE: join(folder, 'missing'),
      DATABASE_URL_FILE: folder,
      METRICS_TOKEN_FILE: `"${empty}"`,
      PORT: 'x',
    }),
  ).toEqual([
    expect.stringMatching(/^The setting DATABASE_URL_FILE names a file that cannot be read \(EISDIR\): /),
    'The settings PULT_SECRET and PULT_SECRET_FILE are both set. Remove one of them',
    expect.stringMatching(
      /^The setting SMTP_URL_FILE names a file that cannot be read \(ENOENT\): .*missing/,
    ),
    `The setting METRICS_TOKEN_FILE names an empty file: ${empty}`,
    expect.stringMatching(/^The setting PORT /),
  ])
  expect(readConfig({ PULT_SECRET: secret, PULT_SECRET_FILE: ' ' }).secret).toBe(secret)
})

test('the documentation names every secret that can come from a file', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/operations/settings.md'), 'utf8')
  const [, section = ''] = /^## Secrets from files\n([^]*?)^## /m.exec(page) ?? []
  const named = [...section.matchAll(/^- `([A-Z0-9_]+)_FILE`/gm)].map(([, name]) => name)
  expect(named).toEqual(secretSettings)
})
