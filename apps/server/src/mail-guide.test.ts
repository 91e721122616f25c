import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations/mail.md'), 'utf8')
const inBlocks = [...page.matchAll(/```env\n([^]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)
const inTable = [...page.matchAll(/`(smtps?:\/\/[^`]+\.[^`]+)`/g)].map(([, url]) => `SMTP_URL=${url}`)

test('the guide has lines for the environment file', () => expect(inBlocks).toHaveLength(6))

test.each([...inBlocks, ...inTable])('the example %s of the guide is a right setting', (line) => {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
  // Docker passes on all after the equals sign; systemd and Compose read quotes like a shell.
  const read = execFileSync('sh', ['-c', `${line}\nprintf %s "$${name}"`], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
  for (const given of [value, read]) {
    const { smtpUrl, mailFrom } = readConfig({ [name]: given })
    expect(name === 'SMTP_URL' ? smtpUrl : mailFrom.address).toBe(
      name === 'SMTP_URL' ? read : 'pult@example.org',
    )
  }
})

test('the guide has examples for each provider', () => {
  expect(inTable.map((url) => new URL(url.slice('SMTP_URL='.length)).hostname)).toEqual([
    'smtp.gmail.com',
    'smtp.office365.com',
    'email-smtp.eu-central-1.amazonaws.com',
    'smtp.postmarkapp.com',
    'mail.example.org',
  ])
})
