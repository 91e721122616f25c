import { conditionEndpoints } from '@pult/contract'
import { openMailServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { mailRemedy } from '#platform/mail/mail-remedy.ts'
import { checkMail } from './mail-checks.ts'

test.each([
  ['EAUTH AUTH PLAIN: 535 5.7.8 Wrong password', 'Check the user and the password in SMTP_URL'],
  ['EAUTH AUTH PLAIN: 454 4.7.0 Too many login attempts', 'its limit of sign-ins'],
  ['EPROTOCOL HELO: 550 5.7.1 Host name required', 'add ?name=HOSTNAME to SMTP_URL'],
  ['EPROTOCOL CONN: 554 5.7.1 Your network is blocked', 'Ask the operator of the mail server'],
  [
    'EENVELOPE MAIL FROM: 530 5.7.0 Must issue STARTTLS',
    'use smtps://, or add user and password to SMTP_URL',
  ],
  [
    'EENVELOPE RCPT TO: 530 5.7.0 Authentication required',
    'use smtps://, or add user and password to SMTP_URL',
  ],
  [
    'EENVELOPE RCPT TO: 504 5.5.2 <x>: Helo command rejected: need fully-qualified hostname',
    '?name=HOSTNAME',
  ],
  ['EENVELOPE RCPT TO: 554 5.7.1 <ada@example.org>: Relay access denied', 'does not relay mails'],
  ['EENVELOPE RCPT TO: 553 5.7.1 <x@example.org>: Sender address rejected', 'Set MAIL_FROM'],
  ['EENVELOPE RCPT TO: 550 5.1.8 <x@example.org>: Sender address rejected', 'Set MAIL_FROM'],
  ['EENVELOPE RCPT TO: 450 4.7.1 Client host rejected', 'Ask the operator of the mail server'],
  ['EENVELOPE MAIL FROM: 550 5.7.1 Not your address', 'Set MAIL_FROM'],
  ['ESOCKET DEPTH_ZERO_SELF_SIGNED_CERT CONN: self-signed certificate', 'NODE_EXTRA_CA_CERTS'],
  ['ESOCKET ERR_TLS_CERT_ALTNAME_INVALID CONN: x', 'Use the host name of the certificate'],
  ['ESOCKET ERR_SSL_WRONG_VERSION_NUMBER CONN: x', 'Use smtps:// for port 465'],
  ['ETIMEDOUT CONN: Greeting never received', 'Use smtps:// for port 465'],
  ['ESOCKET ECONNREFUSED CONN: connect ECONNREFUSED 127.0.0.1:25', 'Check host and port of SMTP_URL'],
  ['EDNS ENOTFOUND CONN: getaddrinfo ENOTFOUND mail', 'Check host and port of SMTP_URL'],
  ['ECONNECTION CONN: Connection closed unexpectedly after the whole mail', 'does not confirm mails'],
  ['EXPIRED: older than an hour when it was restored', 'Repeat what caused them'],
  ['EENVELOPE RCPT TO: 450 4.2.0 Greylisted', 'Ask the operator of the mail server'],
  // Of a node of the previous version.
  ['EENVELOPE 450', 'Check SMTP_URL and the mail server'],
])('the fault %s has its remedy in both languages', (fault, remedy) => {
  const { de, 'de-DE': german } = mailRemedy(fault)
  expect(de).toContain(remedy)
  expect(german).toMatch(/Prüfen|Setzen|Ergänzen|ergänzen|Fragen|Verwenden|Wiederholen/)
})

test('mails that expired because of the mail server are reported beside refused addresses', () => {
  const ids: string[] = []
  const at = '2026-01-01T00:00:00Z'
  checkMail(
    {
      server: 'mail:587',
      lastSent: { at, kind: 'test' },
      waiting: 0,
      trouble: null,
      failed: 4,
      expired: { at, error: 'EAUTH AUTH PLAIN: 535 No' },
      refused: { total: 1, addresses: [{ email: 'ada@example.org', at, answer: 'EENVELOPE 550' }] },
    },
    (id, level, what) => ids.push(`${level} ${id} ${what.de}`),
  )
  expect(ids).toEqual([
    'warning mail.refused Mails to these addresses were rejected within the last seven days: ada@example.org (EENVELOPE 550)',
    'danger mail.failed 4 mails expired undelivered within the last seven days, most recently: EAUTH AUTH PLAIN: 535 No',
  ])
})

test.each([
  ['EHLO', '550 5.7.1 Host name required', 'EPROTOCOL HELO: 550 5.7.1 Host name required', '?name='],
  ['AUTH', '535 5.7.8 Wrong password', 'EAUTH AUTH PLAIN: 535 5.7.8 Wrong password', 'app password'],
  ['MAIL FROM', '553 5.7.1 Not yours', 'EENVELOPE MAIL FROM: 553 5.7.1 Not yours', 'MAIL_FROM'],
  ['RCPT TO', '504 5.5.2 <x>: Helo command rejected', 'EENVELOPE RCPT TO: 504 5.5.2', '?name='],
])(
  'a mail server that rejects Pult at %s is named to root with its reply and the remedy',
  async (stage, reply, error, remedy) => {
    const smtp = await openMailServer((command) =>
      command.replace('HELO', 'EHLO').startsWith(stage) ? reply : undefined,
    )
    const server = await testServer({ settings: { SMTP_URL: smtp.url.replace('//', '//pult:secret@') } })
    const { token } = await server.given.person({ isRoot: true, otp: true })
    await server.app.invitations.invite({ email: 'ada@example.org', isRoot: false })
    const checks = async () =>
      (await server.call(conditionEndpoints.read, {}, token)).body.checks.filter(
        ({ id }) => id === 'mail.stuck',
      )
    await expect
      .poll(checks)
      .toMatchObject([
        { level: 'danger', what: expect.stringContaining(error), fix: expect.stringContaining(remedy) },
      ])
    expect(JSON.stringify(await checks())).not.toContain('secret')
    await server.stop()
  },
)

test('a mail that the server of its recipient defers is reported after an hour, and an expired one for seven days', async () => {
  const server = await testServer()
  const { token } = await server.given.person({ isRoot: true, otp: true })
  const mailOf = async () => (await server.call(conditionEndpoints.read, {}, token)).body.mail
  const error = 'EENVELOPE RCPT TO: 450 4.2.0 Greylisted'
  await sql`insert into mail (id, kind, attempts, last_error, next_try_at, created_at)
    values (gen_random_uuid(), 'invitation', 1, ${error}, now() + interval '1 hour', now() - interval '50 minutes')`.execute(
    server.db,
  )
  expect(await mailOf()).toMatchObject({ waiting: 1, trouble: null, expired: null })
  await sql`update mail set created_at = now() - interval '70 minutes'`.execute(server.db)
  expect(await mailOf()).toMatchObject({ trouble: { error } })

  await sql`update mail set given_up_at = now() - interval '6 days'`.execute(server.db)
  expect(await mailOf()).toMatchObject({ failed: 1, trouble: null, expired: { error } })
  await sql`update mail set given_up_at = now() - interval '8 days'`.execute(server.db)
  expect(await mailOf()).toMatchObject({ failed: 0, expired: null })
})
