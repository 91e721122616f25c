import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examples, readConfig, settingNames } from './config.ts'
import { unknownSettings } from './unknown-settings.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations/settings.md'), 'utf8')

/** Returns the lines that the operator reads. */
function linesOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

/** Settings that others require. */
const others = {
  DATABASE_URL: 'postgres://pult:password@localhost:5432/pult',
  PULT_SECRET: 's'.repeat(32),
  FILES_S3_BUCKET: 'pult',
  FILES_S3_ACCESS_KEY: 'key',
  FILES_S3_SECRET_KEY: 'key',
}

test.each(settingNames.filter((name) => !(examples[name] ?? '…').includes('…')))(
  'the example of %s in its message is a right value, which its line on the page of settings allows',
  (name) => {
    expect(linesOf({ ...others, [name]: examples[name] ?? '' })).toEqual([])
    expect(page).toContain(`| \`${name}\` |`)
  },
)

const wrong = [
  ['PORT', '0', 'must be a port: a number from 1 to 65535'],
  ['PORT', 'abc', 'must be a port'],
  ['PORT', '70000', 'must be a port'],
  ['PORT', '0x50', 'must be a port'],
  ['PORT', 'tcp://10.0.0.1:8080', 'must be a port'],
  ['HOST', 'http://0.0.0.0', 'without scheme and port'],
  ['HOST', '0.0.0.0:8080', 'without scheme and port'],
  ['HOST', '*', 'or :: for all addresses'],
  ['PULT_URL', 'pult.example.org', 'must be a URL that starts with http:// or https://'],
  ['PULT_URL', 'https://example.org/pult', 'without a path'],
  ['PULT_URL', 'http://0.0.0.0:8080', 'must be the address that users type'],
  ['PULT_URL', 'https://*.example.org:x', 'must be a URL'],
  ['PULT_DATA', '~/pult', 'must be the path of a folder, without ~'],
  ['PULT_DATA', '/var/lib\n/pult', 'without ~ and control characters'],
  ['PULT_DATA', '$HOME/pult', 'without a variable or scheme'],
  ['DATABASE_URL', 'mysql://localhost/pult', 'must be a URL'],
  ['DATABASE_URL', 'postgres://pult:pa#ss@db/pult', 'percent-encoded'],
  ['DATABASE_REPLICA_URL', 'replica:5432', 'must be a URL'],
  ['DATABASE_REPLICA_URL', 'postgres://one/pult?target_session_attrs=primary', 'must not ask for a host'],
  ['PULT_SECRET', 'short', 'must have at least 32 characters, for example from `openssl rand -base64 32`'],
  ['PULT_SECRET', '"short"', 'must have at least 32 characters'],
  ['ROOT_EMAIL', 'root', 'must be an e-mail address'],
  ['ROOT_EMAIL', 'Root <root@example.org>', 'must be an e-mail address'],
  ['SMTP_URL', 'mail.example.org:587', 'must be a URL that starts with smtp:// or smtps://'],
  ['SMTP_URL', 'https://mail.example.org', 'must be a URL that starts with smtp:// or smtps://'],
  ['SMTP_URL', 'smtp://user:pa#ss@mail.example.org:587', 'percent-encoded: %25 %23 %2F %3F %40 %3A'],
  ['SMTP_URL', 'smtp://user:pa/ss@mail.example.org:587', 'percent-encoded'],
  ['SMTP_URL', 'smtp://user:pa?ss@mail.example.org:587', 'percent-encoded'],
  ['SMTP_URL', 'smtp://user:12#34@mail.example.org', 'percent-encoded'],
  ['SMTP_URL', 'smtp://user:12/34@mail.example.org', 'percent-encoded'],
  ['SMTP_URL', 'smtp://user:12?34@mail.example.org', 'percent-encoded'],
  ['SMTP_URL', 'smtp://user:100%@mail.example.org', 'percent-encoded'],
  ['SMTP_URL', 'smtp://', 'must'],
  ['SMTP_URL', 'smtp://mail.example.org/inbox', 'must not have a path'],
  ['MAIL_FROM', 'Pult', 'must contain an e-mail address'],
  ['MAIL_FROM', 'Pult: Werk Süd <pult@example.org>', 'must have double quotes around the name'],
  ['TRUSTED_PROXIES', 'true', 'must be a list of addresses or ranges'],
  ['TRUSTED_PROXIES', '10.0.0.0-10.0.0.9', 'must be a list of addresses or ranges'],
  ['TRUSTED_PROXIES', '10/8', 'must be a list of addresses or ranges'],
  ['TRUSTED_PROXIES', '010.0.0.0/8', 'must be a list of addresses or ranges'],
  ['DEV_ORIGINS', '*', 'must be a URL'],
  ['DEV_ORIGINS', 'http://localhost:5173/console', 'must be an origin'],
  ['CONTACT_URL', 'desk@example.org', 'must be a URL that starts with http:// or https:// or mailto:'],
  ['CONTACT_URL', 'https://', 'must be a URL'],
  ['CONTACT_URL', 'mailto://desk@example.org', 'must have an e-mail address after mailto:'],
  ['PRIVACY_URL', '/privacy', 'must be a URL'],
  ['PRIVACY_URL', 'https:/example.org/privacy', 'must be a URL'],
  ['IMPRINT_URL', 'example.org/imprint', 'must be a URL'],
  ['IMPRINT_URL', 'ftp://example.org/imprint', 'must be a URL'],
  ['SERVICE_WORKER', 'false', 'must be on or off'],
  ['SERVICE_WORKER', 'OFF', 'must be on or off'],
  ['FILE_MAX_SIZE', '5GB', 'must be a number of bytes from 1 to 17179869184, without a unit'],
  ['FILE_MAX_SIZE', '20000000000', 'to 17179869184'],
  ['FILE_QUOTA', '20 GiB', 'must be a number of bytes'],
  ['FILE_QUOTA', '-1', 'must be a number of bytes'],
  ['FILE_TOTAL', 'unlimited', 'or off for no limit'],
  ['FILE_TOTAL', '80%', 'must be a number of bytes'],
  ['EDGE_VALUES_QUOTA', '100', 'must be a number of bytes from 1048576'],
  ['EDGE_VALUES_QUOTA', '1e9', 'must be a number of bytes'],
  ['DISK_RESERVE', '10%', 'must be a number of bytes'],
  ['DISK_RESERVE', '512MiB', 'without a unit'],
  ['FILES_FOLDER', '~/files', 'must be the path of a folder'],
  ['FILES_FOLDER', 's3://pult/files', 'without a variable or scheme'],
  ['FILES_S3_ENDPOINT', 's3.example.org', 'must be a URL'],
  ['FILES_S3_ENDPOINT', 'https://s3.example.org/bucket', 'without a path'],
  ['FILES_S3_ENDPOINT', 'https://key:secret@s3.example.org', 'must be an origin'],
  ['FILES_S3_REGION', 'eu central', 'must be the name of a region'],
  ['FILES_S3_REGION', 'https://s3.eu-central-1.amazonaws.com', 'must be the name of a region'],
  ['FILES_S3_BUCKET', 's3://pult', 'must be the name of a bucket'],
  ['FILES_S3_BUCKET', 'pult/files', 'without s3:// and prefix'],
  ['FILES_S3_ACCESS_KEY', '"AKIA"', 'without spaces and quotation marks'],
  ['FILES_S3_ACCESS_KEY', 'AKIA…', 'must be a key of ASCII characters'],
  ['FILES_S3_SECRET_KEY', 'abc def', 'without spaces'],
  ['FILES_S3_SECRET_KEY', "'abcdef'", 'without spaces and quotation marks'],
  ['FILES_S3_PATH_STYLE', 'path', 'must be on or off'],
  ['FILES_S3_PATH_STYLE', 'true', 'must be on or off'],
  ['PROJECTS_PER_PERSON', 'unlimited', 'must be a whole number of at least 0'],
  ['PROJECTS_PER_PERSON', '-1', 'must be a whole number of at least 0'],
  ['ORGANISATIONS_PER_PERSON', '-1', 'must be a whole number of at least 0'],
  ['ORGANISATIONS_PER_PERSON', '1e3', 'must be a whole number of at least 0'],
  ['PASSKEY_OPTIONS_PER_NETWORK', '0', 'must be a whole number of at least 1'],
  ['PASSKEY_OPTIONS_PER_NETWORK', '300/10min', 'must be a whole number of at least 1'],
  ['UNAUTHENTICATED_SOCKETS', '1.5', 'must be a whole number of at least 1'],
  ['UNAUTHENTICATED_SOCKETS', '0', 'must be a whole number of at least 1'],
  ['UNAUTHENTICATED_SOCKETS_PER_NETWORK', 'off', 'must be a whole number of at least 1'],
  ['UNAUTHENTICATED_SOCKETS_PER_NETWORK', '0', 'must be a whole number of at least 1'],
  ['ACCESS_LOG', '/var/log/pult.log', 'must be on or off'],
  ['ACCESS_LOG', 'true', 'must be on or off'],
  ['METRICS_TOKEN', 'short', 'must have at least 16 characters, for example from `openssl rand -hex 16`'],
  ['METRICS_TOKEN', 'sixteen characters', 'without spaces'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be a URL'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:pa#ss@collector:4318', 'percent-encoded'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'Authorization: Bearer x', 'must be a list of key=value'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=100%', 'with percent-encoded values'],
  ['OTEL_TRACES_SAMPLER_ARG', '25%', 'must be a share from 0 to 1'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a share from 0 to 1'],
  ['BACKUP_FOLDER', '$HOME/backup', 'must be the path of a folder'],
  ['BACKUP_FOLDER', 's3://', 'must name a bucket'],
  ['BACKUP_FOLDER', 's3:/vault', 'or s3:// with a bucket'],
  ['BACKUP_FOLDER', 'https://vault.example.org', 'must be the path of a folder'],
  ['BACKUP_FOLDER', 's3://key:pa#ss@vault', 'must name a bucket'],
  ['BACKUP_RECIPIENT', 'AGE-SECRET-KEY-1QQQQ', 'and not its private key'],
  ['BACKUP_RECIPIENT', 'ssh-ed25519 AAAA', 'must be the line age1…'],
  ['BACKUP_KEEP', '0', 'must be a whole number of at least 1'],
  ['BACKUP_KEEP', '14d', 'must be a whole number of at least 1'],
  ['BACKUP_KEEP_DAYS', '30d', 'must be a whole number of days'],
  ['BACKUP_KEEP_DAYS', '0', 'must be a whole number of days'],
  ['BACKUP_SCHEDULE', 'monthly', 'must be one of off, hourly, daily, weekly'],
  ['BACKUP_SCHEDULE', '0 2 * * *', 'must be one of off, hourly, daily, weekly'],
  ['BACKUP_HOUR', '24', 'must be an hour from 0 to 23'],
  ['BACKUP_HOUR', '02:00', 'must be an hour from 0 to 23'],
  ['BACKUP_DRILL', 'on', 'must be one of off, each, daily, weekly'],
  ['BACKUP_DRILL', 'monthly', 'must be one of off, each, daily, weekly'],
  ['STOP_DELAY', '5s', 'must be a number of seconds from 0 to 300'],
  ['STOP_DELAY', '600', 'must be a number of seconds from 0 to 300'],
  ['LOG_FORMAT', 'text', 'must be mixed or json'],
  ['LOG_FORMAT', 'JSON', 'must be mixed or json'],
  ['LOG_LEVEL', 'verbose', 'must be one of fatal, error, warn, info, debug, silent'],
  ['LOG_LEVEL', 'INFO', 'must be one of fatal, error, warn, info, debug, silent'],
] as const

test.each(wrong)('%s=%s is refused in one line with the fault and an example', (name, value, fault) => {
  const lines = linesOf({ ...others, [name]: value })
  expect(lines).toHaveLength(1)
  const [line = ''] = lines
  expect(line.startsWith(`The setting ${name} `)).toBe(true)
  expect(line).toContain(fault)
  expect(line).toContain(', for example ')
  // No part of a password is repeated.
  for (const part of ['pa#', 'pa/', 'pa?', '12#', '100%', 'secret@', 'abc def', 'AGE-SECRET'])
    expect(line).not.toContain(part)
})

test('every setting has two wrong values above, except a name that accepts any text', () => {
  const few = settingNames.filter((name) => wrong.filter(([each]) => each === name).length < 2)
  expect(few).toEqual(['OTEL_SERVICE_NAME'])
})

test('all wrong settings are reported together, one line each', () => {
  const lines = linesOf({ PORT: 'x', PULT_URL: 'x', TRUSTED_PROXIES: 'x, y', BACKUP_HOUR: '24' })
  expect(lines.map((line) => line.split(' ')[2])).toEqual([
    'PORT',
    'PULT_URL',
    'TRUSTED_PROXIES',
    'BACKUP_HOUR',
  ])
})

test('all missing settings are reported together, one line each', () => {
  const lines = linesOf({ DATABASE_URL: others.DATABASE_URL, FILES_S3_BUCKET: 'pult' })
  expect(lines.map((line) => line.split(' ').slice(2, 6).join(' '))).toEqual([
    'PULT_SECRET is needed with',
    'FILES_S3_ACCESS_KEY is needed with',
    'FILES_S3_SECRET_KEY is needed with',
  ])
})

test.each([
  [{ FILES_S3_ENDPOINT: 'https://s3.example.org' }, 'FILES_S3_BUCKET', 'FILES_S3_ENDPOINT', 'pult'],
  [
    { DATABASE_REPLICA_URL: 'postgres://replica/pult' },
    'DATABASE_URL',
    'DATABASE_REPLICA_URL',
    'postgres://pult:password@localhost:5432/pult',
  ],
  [
    { BACKUP_FOLDER: 's3://vault', FILES_S3_SECRET_KEY: 'key' },
    'FILES_S3_ACCESS_KEY',
    'BACKUP_FOLDER=s3://…',
    'AKIA…',
  ],
])('%j names the missing setting with an example', (given, name, reason, example) => {
  expect(linesOf(given)).toEqual([
    `The setting ${name} is needed with ${reason}, for example ${name}=${example}`,
  ])
})

test('a page and an e-mail address with a subject are right targets of Contact', () => {
  for (const target of ['HTTPS://example.org/help', 'mailto:a@example.org,b@example.org?subject=Pult help'])
    expect(readConfig({ CONTACT_URL: target }).contactUrl).toBe(target)
})

test('quotes and spaces around a value, which docker run --env-file keeps, are not part of it', () => {
  const config = readConfig({
    PULT_URL: '"https://pult.example.org"',
    PORT: " '8081' ",
    FILE_QUOTA: '" "',
    MAIL_FROM: '"Werk, Süd" <pult@example.org>',
    PULT_DATA: ' /srv/pult ',
  })
  expect(config).toMatchObject({
    publicUrl: 'https://pult.example.org',
    port: 8081,
    fileQuota: 20 * 1024 ** 3,
    mailFrom: { name: 'Werk, Süd' },
    dataFolder: '/srv/pult',
  })
  // A secret that changed would make its database unreadable.
  expect(readConfig({ PULT_SECRET: `"${others.PULT_SECRET}" ` }).secret).toBe(`"${others.PULT_SECRET}" `)
})

test('a password with @ in it needs no code, because the last @ ends it', () => {
  expect(linesOf({ SMTP_URL: 'smtp://user:p@ss@mail.example.org:587' })).toEqual([])
})

test('a variable that looks like a misspelt setting is named at startup, and no other', () => {
  const lines = unknownSettings({
    PULT_UR: 'x',
    TRUSTED_PROXY: 'x',
    SMTP_HOST: 'x',
    DATABASE_URI: 'x',
    ROOT_EMIAL: 'x',
    PULT_URL: 'x',
    // Of other programs, of Kubernetes and of Pult's scripts.
    PATH: 'x',
    POST: 'x',
    HOSTS: 'x',
    HOSTNAME: 'x',
    MAIL: '/var/mail/root',
    MAIL_HOST: 'x',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'x',
    PULT_PORT: 'tcp://10.0.0.1:8080',
    PULT_SERVICE_HOST: '10.0.0.1',
    PULT_PORT_8080_TCP_ADDR: '10.0.0.1',
    PULT_COMMAND: './pult',
  })
  expect(lines).toEqual([
    'The setting PULT_UR does not exist and is ignored. Did you mean PULT_URL?',
    'The setting TRUSTED_PROXY does not exist and is ignored. Did you mean TRUSTED_PROXIES?',
    'The setting SMTP_HOST does not exist and is ignored. Did you mean SMTP_URL?',
    'The setting DATABASE_URI does not exist and is ignored. Did you mean DATABASE_URL?',
    'The setting ROOT_EMIAL does not exist and is ignored. Did you mean ROOT_EMAIL?',
  ])
})
