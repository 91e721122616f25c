import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations/mail.md'), 'utf8')
const inBlocks = [...page.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)
const inTable = [...page.matchAll(/`(smtps?:\/\/[^`]+\.[^`]+)`/g)].map(([, url]) => `SMTP_URL=${url}`)

test.each([...inBlocks, ...inTable])('the example %s of the guide is a right setting', (line) => {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
  const { smtpUrl, mailFrom } = readConfig({ [name]: value })
  expect(name === 'SMTP_URL' ? smtpUrl : mailFrom.address).toBe(
    name === 'SMTP_URL' ? value : 'pult@example.org',
  )
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
