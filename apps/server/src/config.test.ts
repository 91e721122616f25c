import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settingNames } from './config.ts'

test('listens on loopback and calls itself localhost without any setting', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ port: 8080, host: 'localhost', publicUrl: 'http://localhost:8080' })
  expect(config.rootEmail).toBe('root@localhost')
})

test('DEC-44 listens on all interfaces only when PULT_URL is set', () => {
  expect(readConfig({ PULT_URL: 'https://pult.example.org/' })).toMatchObject({
    host: '::',
    publicUrl: 'https://pult.example.org',
    rootEmail: 'root@pult.example.org',
  })
})

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PULT_URL', 'pult.example.org'],
  ['PULT_URL', 'https://example.org/pult'],
  ['DATABASE_URL', 'mysql://localhost/pult'],
  ['PULT_SECRET', 'short'],
  ['ROOT_EMAIL', 'a@x, evil@y'],
  ['SMTP_URL', 'http://mail'],
  ['TRUSTED_PROXIES', '10.0.0.0/8, proxy'],
  ['DEV_ORIGINS', 'localhost'],
  ['LOG_LEVEL', 'loud'],
  ['SERVICE_WORKER', 'maybe'],
])('refuses the setting %s=%s with one line that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^The setting ${name} [^\\n]+$`))
})

test('RULE-79 asks for PULT_SECRET with a database of its own', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://localhost/pult' })).toThrow(/PULT_SECRET is needed/)
})

test('explains every setting in the documentation, and no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/operations/settings.md'), 'utf8')
  const documented = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  expect(documented.toSorted()).toEqual(settingNames.toSorted())
})
