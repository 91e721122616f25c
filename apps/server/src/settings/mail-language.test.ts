import { recoveryEndpoints, settingsEndpoints } from '@pult/contract'
import { openMailbox, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })

test.each([
  ['en', 'New password for Pult', /^Hello,/, 'Hallo'],
  ['de-DE', 'Neues Passwort für Pult', /^Hallo,/, 'Hello'],
  ['de', 'Neues Passwort für Pult / New password for Pult', /^Hallo,[\s\S]*Hello,/, 'Guten Tag'],
] as const)('DEC-28 who has chosen %s gets mails in it', async (language, subject, text, never) => {
  const ada = await server.given.person()
  await ada.call(settingsEndpoints.update, { body: { language } })
  await server.call(recoveryEndpoints.resetPassword, { body: { username: ada.email } })
  const mail = await mailbox.take(ada.email, /Pult/)
  server.watchSecret(mail.link.split('/bift/')[1] ?? '')
  expect(mail.subject).toBe(subject)
  expect(mail.text).toMatch(text)
  expect(mail.text).not.toContain(never)
})
