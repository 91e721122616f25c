import { expect, test } from 'vitest'
import { shownIn } from '#platform/mail/testing/links-in.ts'
import type { Notice } from './notice.ts'
import { noticeLetter } from './notice-letter.ts'

const publicUrl = 'https://pult.example.org'
const to = 'ada@example.org'
const evilLabel = `<script>alert('x')</script> & "Key" <img src=x onerror=y>`

interface Expected {
  notice: Notice
  subject: string
  german: string
  english: string
}

// One row per kind. A new kind without a row does not compile.
const expected: { [Kind in Notice['kind']]: Expected & { notice: { kind: Kind } } } = {
  'password-changed': {
    notice: { kind: 'password-changed' },
    subject: 'Ihr Passwort wurde geändert / Your password was changed',
    german: 'das Passwort Ihres Pult-Kontos wurde geändert. Alle anderen Sitzungen sind beendet.',
    english: 'The password of your Pult account was changed. All other sessions have ended.',
  },
  'password-reset': {
    notice: { kind: 'password-reset' },
    subject: 'Ihr Passwort wurde zurückgesetzt / Your password was reset',
    german:
      'das Passwort Ihres Pult-Kontos wurde über einen Link per E-Mail zurückgesetzt. Alle Sitzungen sind beendet.',
    english:
      'The password of your Pult account was reset with a link sent by e-mail. All sessions have ended.',
  },
  'password-locked': {
    notice: { kind: 'password-locked' },
    subject: 'Anmeldung mit Passwort gesperrt / Password sign-in locked',
    german:
      'Die Anmeldung mit Passwort ist gesperrt, bis Sie über „Passwort vergessen“ („Forgot password“) ein neues festlegen. Passkeys funktionieren weiterhin.',
    english:
      'Password sign-in is locked until you set a new password with "Forgot password". Passkeys still work.',
  },
  'second-factor-locked': {
    notice: { kind: 'second-factor-locked' },
    subject: 'Zwei-Faktor-Anmeldung gesperrt / Two-factor sign-in locked',
    german:
      'für Ihr Pult-Konto wurde nach dem richtigen Passwort zu oft hintereinander ein falscher Code eingegeben. Die Anmeldung mit Code ist gesperrt, bis Root Ihr Konto entsperrt. Passkeys funktionieren weiterhin.',
    english:
      'The correct password of your Pult account was entered, followed by too many wrong codes in a row. Sign-in with a code is locked until root unlocks your account. Passkeys still work.',
  },
  'otp-enabled': {
    notice: { kind: 'otp-enabled' },
    subject: 'Zwei-Faktor-Authentifizierung aktiviert / Two-factor authentication enabled',
    german: 'für die Anmeldung bei Ihrem Pult-Konto ist ab jetzt zusätzlich ein Einmalpasswort nötig.',
    english: 'Signing in to your Pult account now also requires a one-time password.',
  },
  'otp-disabled': {
    notice: { kind: 'otp-disabled' },
    subject: 'Zwei-Faktor-Authentifizierung deaktiviert / Two-factor authentication disabled',
    german: 'für die Anmeldung bei Ihrem Pult-Konto ist kein Einmalpasswort mehr nötig.',
    english: 'Signing in to your Pult account no longer requires a one-time password.',
  },
  'otp-reset': {
    notice: { kind: 'otp-reset' },
    subject: 'Zwei-Faktor-Authentifizierung zurückgesetzt / Two-factor authentication reset',
    german: 'ein Administrator hat die Zwei-Faktor-Authentifizierung Ihres Pult-Kontos zurückgesetzt.',
    english: 'An administrator has reset the two-factor authentication of your Pult account.',
  },
  'otp-recovered': {
    notice: { kind: 'otp-recovered' },
    subject: 'Zwei-Faktor-Authentifizierung wiederhergestellt / Two-factor authentication recovered',
    german: 'ein neuer Authenticator eingerichtet. Alle Sitzungen sind beendet.',
    english: 'set up a new authenticator for your Pult account. All sessions have ended.',
  },
  'recovery-codes-renewed': {
    notice: { kind: 'recovery-codes-renewed' },
    subject: 'Neue Wiederherstellungscodes / New recovery codes',
    german: 'neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.',
    english: 'New recovery codes were created for your Pult account. The old ones no longer work.',
  },
  'passkey-added': {
    notice: { kind: 'passkey-added', label: evilLabel },
    subject: 'Passkey hinzugefügt / Passkey added',
    german: `zu Ihrem Pult-Konto wurde der Passkey „${evilLabel}“ hinzugefügt. Damit ist ab jetzt eine Anmeldung möglich.`,
    english: `The passkey "${evilLabel}" was added to your Pult account. It can now be used to sign in.`,
  },
  'passkey-removed': {
    notice: { kind: 'passkey-removed', label: evilLabel },
    subject: 'Passkey gelöscht / Passkey deleted',
    german: `der Passkey „${evilLabel}“ gehört nicht mehr zu Ihrem Pult-Konto.`,
    english: `The passkey "${evilLabel}" no longer belongs to your Pult account.`,
  },
  'passkey-suspicious': {
    notice: { kind: 'passkey-suspicious', label: evilLabel },
    subject: 'Anmeldung mit Passkey abgelehnt / Passkey sign-in rejected',
    german: `eine Anmeldung mit dem Passkey „${evilLabel}“ wurde abgelehnt, weil sein Zähler zurückgegangen ist.`,
    english: `A sign-in with the passkey "${evilLabel}" was rejected because its counter decreased.`,
  },
  'email-added': {
    notice: { kind: 'email-added', email: "o'hara&co@example.org" },
    subject: 'E-Mail-Adresse hinzugefügt / E-mail address added',
    german:
      "zu Ihrem Pult-Konto wurde die Adresse o'hara&co@example.org hinzugefügt. Sie können sie verwenden, sobald sie bestätigt ist.",
    english:
      "The address o'hara&co@example.org was added to your Pult account. You can use it once it is confirmed.",
  },
  'email-removed': {
    notice: { kind: 'email-removed', email: 'old@example.org' },
    subject: 'E-Mail-Adresse entfernt / E-mail address removed',
    german: 'die Adresse old@example.org gehört nicht mehr zu Ihrem Pult-Konto.',
    english: 'The address old@example.org no longer belongs to your Pult account.',
  },
  'default-email-changed': {
    notice: { kind: 'default-email-changed', email: 'new@example.org' },
    subject: 'Neue Standardadresse / New default address',
    german: 'die Standardadresse Ihres Pult-Kontos ist jetzt new@example.org.',
    english: 'The default address of your Pult account is now new@example.org.',
  },
  'root-granted': {
    notice: { kind: 'root-granted' },
    subject: 'Sie sind jetzt Root / You are now root',
    german: 'mit Ihrem Pult-Konto können Sie ab jetzt die ganze Installation verwalten (Root).',
    english: 'Your Pult account can now administer the whole installation (root).',
  },
  'root-withdrawn': {
    notice: { kind: 'root-withdrawn' },
    subject: 'Sie sind nicht mehr Root / You are no longer root',
    german: 'mit Ihrem Pult-Konto können Sie die Installation nicht mehr verwalten (Root).',
    english: 'Your Pult account can no longer administer the installation (root).',
  },
  'account-disabled': {
    notice: { kind: 'account-disabled' },
    subject: 'Ihr Konto wurde deaktiviert / Your account was disabled',
    german: 'Alle Sitzungen sind beendet, und Sie können sich nicht mehr damit anmelden.',
    english: 'All sessions have ended, and you can no longer sign in with it.',
  },
  'account-enabled': {
    notice: { kind: 'account-enabled' },
    subject: 'Ihr Konto wurde wieder aktiviert / Your account was enabled again',
    german: 'mit Ihrem Pult-Konto können Sie sich wieder anmelden.',
    english: 'You can sign in with your Pult account again.',
  },
  'account-removed': {
    notice: { kind: 'account-removed' },
    subject: 'Ihr Konto wurde gelöscht / Your account was deleted',
    german: 'Ihr Pult-Konto und seine persönlichen Daten wurden gelöscht.',
    english: 'Your Pult account and its personal data were deleted.',
  },
  'email-claimed': {
    notice: { kind: 'email-claimed', email: 'ada@example.org' },
    subject: 'Ihre E-Mail-Adresse bei Pult / Your e-mail address in Pult',
    german:
      'jemand wollte die Adresse ada@example.org zu einem anderen Pult-Konto hinzufügen. Sie gehört weiterhin zu Ihrem Konto. Es hat sich nichts geändert.',
    english:
      'An attempt was made to add the address ada@example.org to another Pult account. The address still belongs to your account. Nothing has changed.',
  },
}
const cases = Object.values(expected).map((row) => [row.notice.kind, row] as const)

/** Actions of an administrator; the recipient may be unable to sign in. */
const isOfAdministrator = (kind: Notice['kind']) => /^(?:root|account)-/.test(kind)

const partOf = (html: string, language: string) =>
  html.split(`<div lang="${language}">`)[1]?.split('</div>')[0] ?? ''

test.each(cases)(
  'the letter about %s has a German and an English text',
  (_, { notice, subject, german, english }) => {
    const letter = noticeLetter({ to, notice, publicUrl })
    expect(letter).toMatchObject({ to, subject })
    const [inGerman = '', inEnglish = '', ...more] = letter.text.split('\n\n– – –\n\n')
    expect(more).toEqual([])
    expect(inGerman).toMatch(/^Hallo,\n\n/)
    expect(inGerman).toContain(german)
    expect(inEnglish).toMatch(/^Hello,\n\n/)
    expect(inEnglish).toContain(english)
    // The HTML shows the same words, with each language marked by its `lang`.
    for (const [language, text] of [
      ['de', inGerman],
      ['en', inEnglish],
    ] as const) {
      const visible = shownIn(partOf(letter.html, language)).replace(/\s+/g, ' ')
      for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
        // A line before a button has no colon.
        expect(visible).toContain(line.replace(/:$/, '').replace(/\s+/g, ' '))
      }
    }
  },
)

test.each(cases)('the letter about %s links to the console and loads nothing', (kind, { notice }) => {
  const { text, html } = noticeLetter({ to, notice, publicUrl })
  const paths: Partial<Record<Notice['kind'], string>> = {
    'email-claimed': '/me/emails',
    'otp-reset': '/me/otp',
  }
  const path = paths[kind] ?? (isOfAdministrator(kind) ? '/' : '/me/sessions')
  const link = `${publicUrl}${path}`
  expect(text.match(/https?:\/\/\S+/g)).toEqual([link, link])
  const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
  expect(new Set(targets)).toEqual(new Set([link]))
  expect(html).not.toMatch(/<(script|img|link|iframe|object)|\ssrc="|url\(|@import/)
})

test.each(cases.filter(([, { notice }]) => 'label' in notice))(
  'the letter about %s shows any label as plain text',
  (_, { notice }) => {
    const { html, subject } = noticeLetter({ to, notice, publicUrl })
    expect(html).toContain("&lt;script&gt;alert('x')&lt;/script&gt; &amp; &quot;Key&quot; &lt;img src=x")
    expect(html).not.toMatch(/<script|<img/)
    expect(subject).not.toContain('script')
  },
)

test.each(cases.filter(([, { notice }]) => 'label' in notice))(
  'the letter about %s contains no link from a label',
  (_, { notice }) => {
    const { text } = noticeLetter({
      to,
      notice: { ...notice, label: 'www.evil.example' } as Notice,
      publicUrl,
    })
    expect(text).toContain('www. evil. example')
    expect(text).not.toContain('evil.example')
  },
)

test.each(cases)('the letter about %s states what the recipient can do', (kind, { notice }) => {
  const { text } = noticeLetter({ to, notice, publicUrl })
  const notes: Partial<Record<Notice['kind'], [german: string, english: string]>> = {
    'password-locked': ['legen Sie einfach ein neues Passwort fest', 'set a new password'],
    'second-factor-locked': [
      'Wenn Sie das nicht waren, kennt jemand Ihr Passwort',
      'another person knows your password',
    ],
    'otp-reset': ['Wenn Sie nicht darum gebeten haben', 'If you did not request this'],
    'passkey-suspicious': ['Löschen Sie den Passkey', 'delete the passkey'],
    'email-claimed': ['Sie brauchen nichts zu tun.', 'No action is needed.'],
  }
  const usual = isOfAdministrator(kind)
    ? ['Wenn Sie dazu Fragen haben, sprechen Sie mit Ihrem Administrator.', 'questions, contact your']
    : [
        'Wenn Sie das waren, brauchen Sie nichts zu tun. Andernfalls legen Sie sofort ein neues Passwort fest',
        'If this was you, no action is needed. If not, set a new password immediately',
      ]
  const [german, english] = notes[kind] ?? usual
  expect(text).toContain(german)
  expect(text).toContain(english)
})
