import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settingNames } from './config.ts'

const secret = 's'.repeat(32)

const defaults = {
  port: 8080,
  host: 'localhost',
  publicUrl: 'http://localhost:8080',
  dataFolder: undefined,
  databaseUrl: undefined,
  secret: undefined,
  rootEmail: 'root@localhost',
  smtpUrl: undefined,
  mailFrom: 'Pult <pult@localhost>',
  trustedProxies: [],
  devOrigins: [],
  contactUrl: null,
  privacyUrl: null,
  imprintUrl: null,
  serviceWorker: true,
  fileMaxSize: 5 * 1024 ** 3,
  fileQuota: 20 * 1024 ** 3,
  filesFolder: undefined,
  filesS3: undefined,
  logLevel: 'info',
}

test('listens on loopback and calls itself localhost without any setting', () => {
  expect(readConfig({})).toEqual(defaults)
})

test('takes a setting that is empty for one that is not set', () => {
  for (const value of ['', '  '])
    expect(readConfig(Object.fromEntries(settingNames.map((name) => [name, value])))).toEqual(defaults)
  expect(readConfig({ FILE_QUOTA: '0', PORT: '0' })).toMatchObject({ fileQuota: 0, port: 0 })
})

test('DEC-44 listens on all interfaces only when PULT_URL is set', () => {
  expect(readConfig({ PULT_URL: 'https://pult.example.org/' })).toMatchObject({
    host: '::',
    publicUrl: 'https://pult.example.org',
    rootEmail: 'root@pult.example.org',
    mailFrom: 'Pult <pult@pult.example.org>',
  })
  expect(readConfig({ PULT_URL: 'https://pult.example.org', HOST: '127.0.0.1' }).host).toBe('127.0.0.1')
})

test('takes every setting as it is given', () => {
  const given = {
    PORT: '80',
    HOST: '192.0.2.1',
    PULT_URL: 'https://pult.example.org:8443',
    PULT_DATA: 'somewhere',
    DATABASE_URL: 'postgresql://pult@db/pult',
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
    FILES_FOLDER: 'elsewhere',
    FILES_S3_ENDPOINT: 'https://s3.example.org',
    FILES_S3_REGION: 'eu-central-1',
    FILES_S3_BUCKET: 'pult',
    FILES_S3_ACCESS_KEY: 'key',
    FILES_S3_SECRET_KEY: 'geheim',
    FILES_S3_PATH_STYLE: 'off',
    LOG_LEVEL: 'warn',
  }
  expect(Object.keys(given).toSorted()).toEqual(settingNames.toSorted())
  expect(readConfig(given)).toEqual({
    port: 80,
    host: '192.0.2.1',
    publicUrl: 'https://pult.example.org:8443',
    dataFolder: resolve('somewhere'),
    databaseUrl: 'postgresql://pult@db/pult',
    secret,
    rootEmail: 'grace@example.org',
    smtpUrl: 'smtps://mail.example.org',
    mailFrom: 'Desk <desk@example.org>',
    trustedProxies: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7', '::1'],
    devOrigins: ['http://localhost:5173', 'https://dev.example.org'],
    contactUrl: 'mailto:desk@example.org',
    privacyUrl: 'https://example.org/privacy',
    imprintUrl: 'http://example.org/imprint',
    serviceWorker: false,
    fileMaxSize: 1000,
    fileQuota: 5000,
    filesFolder: resolve('elsewhere'),
    filesS3: {
      endpoint: 'https://s3.example.org',
      region: 'eu-central-1',
      bucket: 'pult',
      accessKey: 'key',
      secretKey: 'geheim',
      pathStyle: false,
    },
    logLevel: 'warn',
  })
})

test.each([
  ['PORT', 'eighty', 'must be a port'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['PULT_URL', 'pult.example.org', 'must be a url that starts with http:// or https://'],
  ['PULT_URL', 'https://example.org/pult', 'must be an origin: scheme, host and port, without a path'],
  ['PULT_URL', 'https://example.org/?a=b'],
  ['PULT_URL', 'https://example.org/#a'],
  ['PULT_URL', 'https://root@example.org'],
  ['PULT_URL', 'ftp://example.org'],
  ['DATABASE_URL', 'mysql://localhost/pult'],
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
  ['LOG_LEVEL', 'loud'],
  ['SERVICE_WORKER', 'maybe', 'must be on or off'],
  ['FILE_MAX_SIZE', '5 GiB', 'must be a number of bytes'],
  ['FILE_MAX_SIZE', '17179869185'],
  ['FILE_QUOTA', '-1'],
  ['FILES_S3_ENDPOINT', 's3.example.org'],
  ['FILES_S3_PATH_STYLE', 'yes', 'must be on or off'],
])('refuses the setting %s=%s with one line that names it', (name, value, words = '') => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^The setting ${name} .*${words}[^\\n]*$`))
})

test('RULE-79 asks for PULT_SECRET with a database of its own', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://localhost/pult' })).toThrow(/PULT_SECRET is needed/)
  const { databaseUrl } = readConfig({ DATABASE_URL: 'postgres://localhost/pult', PULT_SECRET: secret })
  expect(databaseUrl).toBe('postgres://localhost/pult')
})

test('asks for all that a bucket needs', () => {
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

test('explains every setting in the documentation, and no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/operations/settings.md'), 'utf8')
  const documented = [...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name)
  expect(documented.toSorted()).toEqual(settingNames.toSorted())
})
