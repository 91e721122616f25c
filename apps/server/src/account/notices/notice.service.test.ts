import { openMailbox, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { createPeopleService } from '../../people/people.service.ts'
import { emailCalls } from '../emails/testing/email-calls.ts'
import { createNoticeService } from './notice.service.ts'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
const { given, db } = server
const { givenEmail, setDefault, remove } = emailCalls(server)

test('RULE-19 a notice goes once to each verified address and each additional recipient, and to no other', async () => {
  const ada = await given.person()
  await givenEmail(ada, 'second@example.org')
  await givenEmail(ada, 'unverified@example.org', { isVerified: false })
  await given.person()
  const written: string[] = []
  const notices = createNoticeService({
    people: createPeopleService(db),
    mailer: { enqueue: async (_, { to }) => void written.push(to) },
    publicUrl: server.url,
  })
  await db
    .transaction()
    .execute((trx) =>
      notices.send(trx, ada.personId, { kind: 'password-changed' }, [
        'former@example.org',
        'second@example.org',
      ]),
    )
  expect(written.toSorted()).toEqual([ada.email, 'former@example.org', 'second@example.org'].toSorted())
})

test('RULE-19 a mail program shows every language of a notice', async () => {
  const ada = await given.person()
  const emailId = await givenEmail(ada, 'shown@example.org')
  await setDefault(ada, emailId)
  const changed = await mailbox.take('shown@example.org', /Neue Standardadresse/)
  expect(changed.subject).toBe('Neue Standardadresse / New default address')
  expect(changed.text).toContain('die Standardadresse Ihres Pult-Kontos ist jetzt shown@example.org.')
  expect(changed.text).toContain('The default address of your Pult account is now shown@example.org.')
  expect(changed.html).toContain('<div lang="de">')
  expect(changed.html).toContain('<div lang="en">')
  expect(changed.link).toBe(`${server.url}/me/sessions`)

  const third = await givenEmail(ada, 'third@example.org')
  await remove(ada, third)
  const recipients = ['third@example.org', 'shown@example.org', ada.email]
  const mails = await Promise.all(recipients.map((address) => mailbox.take(address, /entfernt/)))
  for (const { text } of mails) expect(text).toContain('die Adresse third@example.org gehört nicht mehr')
})
