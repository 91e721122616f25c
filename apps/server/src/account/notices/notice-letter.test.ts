import { expect, test } from 'vitest'
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

// Of each kind, so that a new one does not compile without its row.
const expected: { [Kind in Notice['kind']]: Expected & { notice: { kind: Kind } } } = {
  'password-changed': {
    notice: { kind: 'password-changed' },
    subject: 'Ihr Passwort wurde geändert / Your password was changed',
    german: 'das Passwort Ihres Pult-Kontos wurde geändert. Alle anderen Sitzungen sind beendet.',
    english: 'the password of your Pult account was changed. All other sessions have ended.',
  },
  'password-reset': {
    notice: { kind: 'password-reset' },
    subject: 'Ihr Passwort wurde zurückgesetzt / Your password was reset',
    german:
      'das Passwort Ihres Pult-Kontos wurde über einen Link per E-Mail zurückgesetzt. Alle Sitzungen sind beendet.',
    english: 'the password of your Pult account was reset by a mailed link. All sessions have ended.',
  },
  'password-locked': {
    notice: { kind: 'password-locked' },
    subject: 'Anmeldung mit Passwort gesperrt / Sign-in by password locked',
    german:
      'Die Anmeldung mit Passwort ist gesperrt, bis Sie über „Passwort vergessen“ („Forgot password“) ein neues festlegen. Passkeys funktionieren weiterhin.',
    english:
      'Sign-in by password is locked until you set a new one with "Forgot password". Passkeys go on working.',
  },
  'otp-enabled': {
    notice: { kind: 'otp-enabled' },
    subject: 'Zwei-Faktor-Authentifizierung aktiviert / Two-factor authentication enabled',
    german: 'Ihr Pult-Konto fragt ab jetzt zusätzlich nach einem Einmalpasswort.',
    english: 'your Pult account now asks for a one-time password as well.',
  },
  'otp-disabled': {
    notice: { kind: 'otp-disabled' },
    subject: 'Zwei-Faktor-Authentifizierung deaktiviert / Two-factor authentication disabled',
    german: 'Ihr Pult-Konto fragt nicht mehr nach einem Einmalpasswort.',
    english: 'your Pult account no longer asks for a one-time password.',
  },
  'otp-reset': {
    notice: { kind: 'otp-reset' },
    subject: 'Zwei-Faktor-Authentifizierung zurückgesetzt / Two-factor authentication reset',
    german: 'ein Administrator hat die Zwei-Faktor-Authentifizierung Ihres Pult-Kontos zurückgesetzt.',
    english: 'an administrator has reset the two-factor authentication of your Pult account.',
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
    english: 'new recovery codes were made for your Pult account. The old ones no longer work.',
  },
  'passkey-added': {
    notice: { kind: 'passkey-added', label: evilLabel },
    subject: 'Passkey hinzugefügt / Passkey added',
    german: `mit dem neuen Passkey „${evilLabel}“ kann man sich jetzt bei Ihrem Pult-Konto anmelden.`,
    english: `the new passkey "${evilLabel}" can now sign in to your Pult account.`,
  },
  'passkey-removed': {
    notice: { kind: 'passkey-removed', label: evilLabel },
    subject: 'Passkey gelöscht / Passkey deleted',
    german: `der Passkey „${evilLabel}“ gehört nicht mehr zu Ihrem Pult-Konto.`,
    english: `the passkey "${evilLabel}" no longer belongs to your Pult account.`,
  },
  'passkey-suspicious': {
    notice: { kind: 'passkey-suspicious', label: evilLabel },
    subject: 'Anmeldung mit Passkey abgelehnt / Sign-in by passkey refused',
    german: `eine Anmeldung mit dem Passkey „${evilLabel}“ wurde abgelehnt, weil sein Zähler zurückgegangen ist.`,
    english: `a sign-in by the passkey "${evilLabel}" was refused because its counter went back.`,
  },
  'email-added': {
    notice: { kind: 'email-added', email: "o'hara&co@example.org" },
    subject: 'E-Mail-Adresse hinzugefügt / E-mail address added',
    german:
      "zu Ihrem Pult-Konto wurde die Adresse o'hara&co@example.org hinzugefügt. Sie zählt, sobald sie bestätigt ist.",
    english:
      "the address o'hara&co@example.org was added to your Pult account. It counts once it is confirmed.",
  },
  'email-removed': {
    notice: { kind: 'email-removed', email: 'old@example.org' },
    subject: 'E-Mail-Adresse entfernt / E-mail address removed',
    german: 'die Adresse old@example.org gehört nicht mehr zu Ihrem Pult-Konto.',
    english: 'the address old@example.org no longer belongs to your Pult account.',
  },
  'default-email-changed': {
    notice: { kind: 'default-email-changed', email: 'new@example.org' },
    subject: 'Neue Standardadresse / New default address',
    german: 'die Standardadresse Ihres Pult-Kontos ist jetzt new@example.org.',
    english: 'the default address of your Pult account is now new@example.org.',
  },
  'root-granted': {
    notice: { kind: 'root-granted' },
    subject: 'Sie sind jetzt Root / You are root now',
    german: 'Ihr Pult-Konto darf ab jetzt alles verwalten (Root).',
    english: 'your Pult account may now administer everything (root).',
  },
  'root-withdrawn': {
    notice: { kind: 'root-withdrawn' },
    subject: 'Sie sind nicht mehr Root / You are no longer root',
    german: 'Ihr Pult-Konto darf nicht mehr alles verwalten (Root).',
    english: 'your Pult account may no longer administer everything (root).',
  },
  'account-disabled': {
    notice: { kind: 'account-disabled' },
    subject: 'Ihr Konto wurde deaktiviert / Your account was disabled',
    german: 'Alle Sitzungen sind beendet, und niemand kann sich mehr damit anmelden.',
    english: 'All sessions have ended, and nobody can sign in with it.',
  },
  'account-enabled': {
    notice: { kind: 'account-enabled' },
    subject: 'Ihr Konto ist wieder aktiviert / Your account is enabled again',
    german: 'mit Ihrem Pult-Konto können Sie sich wieder anmelden.',
    english: 'you can sign in with your Pult account again.',
  },
  'account-removed': {
    notice: { kind: 'account-removed' },
    subject: 'Ihr Konto wurde gelöscht / Your account was deleted',
    german: 'Ihr Pult-Konto wurde gelöscht, mit allem, was nur zu ihm gehörte.',
    english: 'your Pult account was deleted, with all that belonged to it alone.',
  },
  'email-claimed': {
    notice: { kind: 'email-claimed', email: 'ada@example.org' },
    subject: 'Ihre E-Mail-Adresse bei Pult / Your e-mail address at Pult',
    german:
      'jemand wollte die Adresse ada@example.org zu einem anderen Pult-Konto hinzufügen. Sie gehört weiterhin zu Ihrem, und nichts hat sich geändert.',
    english:
      'somebody tried to add the address ada@example.org to another Pult account. It still belongs to yours, and nothing has changed.',
  },
}
const cases = Object.values(expected).map((row) => [row.notice.kind, row] as const)

/** What an administrator did, perhaps to somebody who cannot sign in any more. */
const isOfAdministrator = (kind: Notice['kind']) => /^(?:root|account)-/.test(kind)

/** What a mail program shows of a piece of HTML. */
const shown = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')

const partOf = (html: string, language: string) =>
  html.split(`<div lang="${language}">`)[1]?.split('</div>')[0] ?? ''

test.each(cases)(
  'the letter about %s says it in German and in English',
  (_, { notice, subject, german, english }) => {
    const letter = noticeLetter({ to, notice, publicUrl })
    expect(letter).toMatchObject({ to, subject })
    const [inGerman = '', inEnglish = '', ...more] = letter.text.split('\n\n– – –\n\n')
    expect(more).toEqual([])
    expect(inGerman).toMatch(/^Hallo,\n\n/)
    expect(inGerman).toContain(german)
    expect(inEnglish).toMatch(/^Hello,\n\n/)
    expect(inEnglish).toContain(english)
    // The HTML shows the same words, each language marked as what it is.
    for (const [language, text] of [
      ['de', inGerman],
      ['en', inEnglish],
    ] as const) {
      const visible = shown(partOf(letter.html, language))
      for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
        // Beside a button stands no colon.
        expect(visible).toContain(line.replace(/:$/, '').replace(/\s+/g, ' '))
      }
    }
  },
)

test.each(cases)('the letter about %s leads to the console and loads nothing', (kind, { notice }) => {
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
  'the letter about %s shows a label as text, whatever it says',
  (_, { notice }) => {
    const { html, subject } = noticeLetter({ to, notice, publicUrl })
    expect(html).toContain("&lt;script&gt;alert('x')&lt;/script&gt; &amp; &quot;Key&quot; &lt;img src=x")
    expect(html).not.toMatch(/<script|<img/)
    expect(subject).not.toContain('script')
  },
)

test.each(cases)('the letter about %s says what to do about it', (kind, { notice }) => {
  const { text } = noticeLetter({ to, notice, publicUrl })
  const notes: Partial<Record<Notice['kind'], [german: string, english: string]>> = {
    'password-locked': ['legen Sie einfach ein neues fest', 'just set a new one'],
    'otp-reset': ['Wenn Sie nicht darum gebeten haben', 'If you did not ask for this'],
    'passkey-suspicious': ['Löschen Sie den Passkey', 'Delete the passkey'],
    'email-claimed': ['Sie brauchen nichts zu tun.', 'There is nothing you need to do.'],
  }
  const usual = isOfAdministrator(kind)
    ? [
        'Wenn Sie dazu Fragen haben, sprechen Sie mit Ihrem Administrator.',
        'questions about this, talk to your',
      ]
    : [
        'Wenn Sie das waren, brauchen Sie nichts zu tun. Andernfalls legen Sie sofort ein neues Passwort fest',
        'If this was you, there is nothing you need to do. If not, set a new password at once',
      ]
  const [german, english] = notes[kind] ?? usual
  expect(text).toContain(german)
  expect(text).toContain(english)
})
