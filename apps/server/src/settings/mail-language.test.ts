import { recoveryEndpoints, rootPeopleEndpoints, settingsEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { openMailbox, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })

test.each([
  ['en', 'New password for Pult', /^Hello,/, 'Hallo'],
  ['de-DE', 'Neues Passwort für Pult', /^Hallo,/, 'Hello'],
  ['de', 'Neues Passwort für Pult / New password for Pult', /^Hallo,[\s\S]*Hello,/, 'Guten Tag'],
] as const)(
  'DEC-28 a user with the language %s receives mails in it',
  async (language, subject, text, never) => {
    const ada = await server.given.person()
    await ada.call(settingsEndpoints.update, { body: { language } })
    await server.call(recoveryEndpoints.resetPassword, { body: { username: ada.email } })
    const mail = await mailbox.take(ada.email, /Pult/)
    server.watchSecret(mail.link.split('/bift/')[1] ?? '')
    expect(mail.subject).toBe(subject)
    expect(mail.text).toMatch(text)
    expect(mail.text).not.toContain(never)
  },
)

test('DEC-28 an invitation is in the language that the inviter chose, otherwise in the installation’s', async () => {
  const added = await testServer({ settings: { SMTP_URL: mailbox.url }, isNew: true })
  await added.db.updateTable('installation').set({ language: 'de-DE' }).execute()
  const root = await added.given.person({ isRoot: true })
  const invite = async (email: string) => {
    expect(await root.call(rootPeopleEndpoints.invite, { body: { email } })).toSucceed()
    const mail = await mailbox.take(email, /Pult/)
    const token = mail.link.split('/bift/')[1] ?? ''
    added.watchSecret(token)
    const { data } = (await added.call(tokenLinkEndpoints.preflight, { params: { token } })).body
    return { subject: mail.subject, language: data.language }
  }
  expect(await invite('german@example.org')).toEqual({ subject: 'Einladung zu Pult', language: undefined })
  await root.call(settingsEndpoints.update, { body: { language: 'en' } })
  expect(await invite('english@example.org')).toEqual({ subject: 'Invitation to Pult', language: 'en' })
})
