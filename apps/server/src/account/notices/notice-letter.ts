import { inert } from '#platform/mail/inert.ts'
import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'
import type { Notice } from './notice.ts'

interface NoticeLetter {
  to: string
  notice: Notice
  publicUrl: string
}

/** The text of a letter in each language. */
type InBoth = Record<'german' | 'english', string>

interface Words extends InBoth {
  subject: InBoth
  /** Replaces the default advice. */
  note?: InBoth
  /** Replaces the default page, which is the recent activity. */
  place?: { path: string; action: InBoth }
}

const usualNote: InBoth = {
  german:
    'Wenn Sie das waren, brauchen Sie nichts zu tun. Andernfalls legen Sie sofort ein neues Passwort fest, sehen Sie Ihre Sitzungen durch und sprechen Sie mit Ihrem Administrator.',
  english:
    'If this was you, no action is needed. If not, set a new password immediately, review your sessions and contact your administrator.',
}

/** The page where the user reviews recent activity and ends unknown sessions. */
const recentActivity = {
  path: '/me/sessions',
  action: { german: 'Letzte Aktivitäten ansehen', english: 'View recent activity' },
}

/** Advice after an action of an administrator. */
const administratorNote: InBoth = {
  german: 'Wenn Sie dazu Fragen haben, sprechen Sie mit Ihrem Administrator.',
  english: 'If you have questions, contact your administrator.',
}

const startPage = {
  path: '/',
  action: { german: 'Pult öffnen', english: 'Open Pult' },
}

export function noticeLetter({ to, notice, publicUrl }: NoticeLetter): OutgoingMail {
  const { subject, german, english, note = usualNote, place = recentActivity } = wordsOf(notice)
  return writeLetter({
    kind: 'account-notice',
    to,
    link: publicUrl + place.path,
    parts: [
      {
        language: 'de',
        subject: subject.german,
        paragraphs: ['Hallo,', german],
        action: place.action.german,
        note: note.german,
      },
      {
        language: 'en',
        subject: subject.english,
        paragraphs: ['Hello,', english],
        action: place.action.english,
        note: note.english,
      },
    ],
  })
}

function wordsOf(notice: Notice): Words {
  switch (notice.kind) {
    case 'password-changed':
      return {
        subject: { german: 'Ihr Passwort wurde geändert', english: 'Your password was changed' },
        german: 'das Passwort Ihres Pult-Kontos wurde geändert. Alle anderen Sitzungen sind beendet.',
        english: 'The password of your Pult account was changed. All other sessions have ended.',
      }
    case 'password-reset':
      return {
        subject: { german: 'Ihr Passwort wurde zurückgesetzt', english: 'Your password was reset' },
        german:
          'das Passwort Ihres Pult-Kontos wurde über einen Link per E-Mail zurückgesetzt. Alle Sitzungen sind beendet.',
        english:
          'The password of your Pult account was reset with a link sent by e-mail. All sessions have ended.',
      }
    case 'password-locked':
      return {
        subject: { german: 'Anmeldung mit Passwort gesperrt', english: 'Password sign-in locked' },
        german:
          'für Ihr Pult-Konto wurde zu oft hintereinander ein falsches Passwort eingegeben. Die Anmeldung mit Passwort ist gesperrt, bis Sie über „Passwort vergessen“ („Forgot password“) ein neues festlegen. Passkeys funktionieren weiterhin.',
        english:
          'A wrong password was entered too many times in a row for your Pult account. Password sign-in is locked until you set a new password with "Forgot password". Passkeys still work.',
        note: {
          german:
            'Wenn Sie das selbst waren, legen Sie einfach ein neues Passwort fest. Andernfalls hat jemand versucht, Ihr Passwort zu erraten: Wählen Sie eines, das Sie nirgends sonst verwenden, und sprechen Sie mit Ihrem Administrator.',
          english:
            'If you made these attempts, set a new password. If not, another person tried to guess it. Choose a new password that you use nowhere else, and contact your administrator.',
        },
      }
    case 'second-factor-locked':
      return {
        subject: { german: 'Zwei-Faktor-Anmeldung gesperrt', english: 'Two-factor sign-in locked' },
        german:
          'für Ihr Pult-Konto wurde nach dem richtigen Passwort zu oft hintereinander ein falscher Code eingegeben. Die Anmeldung mit Code ist gesperrt, bis Root Ihr Konto entsperrt. Passkeys funktionieren weiterhin.',
        english:
          'The correct password of your Pult account was entered, followed by too many wrong codes in a row. Sign-in with a code is locked until root unlocks your account. Passkeys still work.',
        note: {
          german:
            'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Legen Sie sofort ein neues fest, und sprechen Sie mit Root.',
          english:
            'If this was not you, another person knows your password. Set a new one immediately and contact root.',
        },
      }
    case 'otp-enabled':
      return {
        subject: {
          german: 'Zwei-Faktor-Authentifizierung aktiviert',
          english: 'Two-factor authentication enabled',
        },
        german: 'für die Anmeldung bei Ihrem Pult-Konto ist ab jetzt zusätzlich ein Einmalpasswort nötig.',
        english: 'Signing in to your Pult account now also requires a one-time password.',
      }
    case 'otp-disabled':
      return {
        subject: {
          german: 'Zwei-Faktor-Authentifizierung deaktiviert',
          english: 'Two-factor authentication disabled',
        },
        german: 'für die Anmeldung bei Ihrem Pult-Konto ist kein Einmalpasswort mehr nötig.',
        english: 'Signing in to your Pult account no longer requires a one-time password.',
      }
    case 'otp-reset':
      return {
        subject: {
          german: 'Zwei-Faktor-Authentifizierung zurückgesetzt',
          english: 'Two-factor authentication reset',
        },
        german:
          'ein Administrator hat die Zwei-Faktor-Authentifizierung Ihres Pult-Kontos zurückgesetzt. Alle Sitzungen sind beendet, und zum Anmelden genügt Ihr Passwort. Richten Sie danach einen neuen Authenticator ein.',
        english:
          'An administrator has reset the two-factor authentication of your Pult account. All sessions have ended, and your password alone is enough to sign in. Set up a new authenticator after signing in.',
        note: {
          german: 'Wenn Sie nicht darum gebeten haben, sprechen Sie sofort mit Ihrem Administrator.',
          english: 'If you did not request this, contact your administrator immediately.',
        },
        place: {
          path: '/me/otp',
          action: { german: 'Authenticator einrichten', english: 'Set up an authenticator' },
        },
      }
    case 'otp-recovered':
      return {
        subject: {
          german: 'Zwei-Faktor-Authentifizierung wiederhergestellt',
          english: 'Two-factor authentication recovered',
        },
        german:
          'mit einem Wiederherstellungscode wurde für Ihr Pult-Konto ein neuer Authenticator eingerichtet. Alle Sitzungen sind beendet.',
        english:
          'A recovery code was used to set up a new authenticator for your Pult account. All sessions have ended.',
      }
    case 'recovery-codes-renewed':
      return {
        subject: { german: 'Neue Wiederherstellungscodes', english: 'New recovery codes' },
        german:
          'für Ihr Pult-Konto wurden neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.',
        english: 'New recovery codes were created for your Pult account. The old ones no longer work.',
      }
    case 'passkey-added':
      return {
        subject: { german: 'Passkey hinzugefügt', english: 'Passkey added' },
        german: `zu Ihrem Pult-Konto wurde der Passkey „${inert(notice.label)}“ hinzugefügt. Damit ist ab jetzt eine Anmeldung möglich.`,
        english: `The passkey "${inert(notice.label)}" was added to your Pult account. It can now be used to sign in.`,
      }
    case 'passkey-removed':
      return {
        subject: { german: 'Passkey gelöscht', english: 'Passkey deleted' },
        german: `der Passkey „${inert(notice.label)}“ gehört nicht mehr zu Ihrem Pult-Konto.`,
        english: `The passkey "${inert(notice.label)}" no longer belongs to your Pult account.`,
      }
    case 'passkey-suspicious':
      return {
        subject: { german: 'Anmeldung mit Passkey abgelehnt', english: 'Passkey sign-in rejected' },
        german: `eine Anmeldung mit dem Passkey „${inert(notice.label)}“ wurde abgelehnt, weil sein Zähler zurückgegangen ist. Der Passkey könnte kopiert worden sein.`,
        english: `A sign-in with the passkey "${inert(notice.label)}" was rejected because its counter decreased. The passkey may have been copied.`,
        note: {
          german:
            'Löschen Sie den Passkey, wenn Sie sich nicht gerade selbst damit anmelden wollten oder unsicher sind, und sprechen Sie mit Ihrem Administrator.',
          english:
            'If you were not signing in at that moment or are not sure, delete the passkey and contact your administrator.',
        },
      }
    case 'email-added':
      return {
        subject: { german: 'E-Mail-Adresse hinzugefügt', english: 'E-mail address added' },
        german: `zu Ihrem Pult-Konto wurde die Adresse ${notice.email} hinzugefügt. Sie können sie verwenden, sobald sie bestätigt ist.`,
        english: `The address ${notice.email} was added to your Pult account. You can use it once it is confirmed.`,
      }
    case 'email-removed':
      return {
        subject: { german: 'E-Mail-Adresse entfernt', english: 'E-mail address removed' },
        german: `die Adresse ${notice.email} gehört nicht mehr zu Ihrem Pult-Konto.`,
        english: `The address ${notice.email} no longer belongs to your Pult account.`,
      }
    case 'default-email-changed':
      return {
        subject: { german: 'Neue Standardadresse', english: 'New default address' },
        german: `die Standardadresse Ihres Pult-Kontos ist jetzt ${notice.email}.`,
        english: `The default address of your Pult account is now ${notice.email}.`,
      }
    case 'root-granted':
      return {
        subject: { german: 'Sie sind jetzt Root', english: 'You are now root' },
        german: 'mit Ihrem Pult-Konto können Sie ab jetzt die ganze Installation verwalten (Root).',
        english: 'Your Pult account can now administer the whole installation (root).',
        note: administratorNote,
        place: startPage,
      }
    case 'root-withdrawn':
      return {
        subject: { german: 'Sie sind nicht mehr Root', english: 'You are no longer root' },
        german:
          'mit Ihrem Pult-Konto können Sie die Installation nicht mehr verwalten (Root). Ihre eigenen Projekte und Organisationen behalten Sie.',
        english:
          'Your Pult account can no longer administer the installation (root). You keep your own projects and organisations.',
        note: administratorNote,
        place: startPage,
      }
    case 'account-disabled':
      return {
        subject: { german: 'Ihr Konto wurde deaktiviert', english: 'Your account was disabled' },
        german:
          'Ihr Pult-Konto wurde deaktiviert. Alle Sitzungen sind beendet, und Sie können sich nicht mehr damit anmelden.',
        english:
          'Your Pult account was disabled. All sessions have ended, and you can no longer sign in with it.',
        note: administratorNote,
        place: startPage,
      }
    case 'account-enabled':
      return {
        subject: { german: 'Ihr Konto wurde wieder aktiviert', english: 'Your account was enabled again' },
        german: 'mit Ihrem Pult-Konto können Sie sich wieder anmelden.',
        english: 'You can sign in with your Pult account again.',
        note: administratorNote,
        place: startPage,
      }
    case 'account-removed':
      return {
        subject: { german: 'Ihr Konto wurde gelöscht', english: 'Your account was deleted' },
        german: 'Ihr Pult-Konto und seine persönlichen Daten wurden gelöscht.',
        english: 'Your Pult account and its personal data were deleted.',
        note: administratorNote,
        place: startPage,
      }
    case 'email-claimed':
      return {
        subject: { german: 'Ihre E-Mail-Adresse bei Pult', english: 'Your e-mail address in Pult' },
        german: `jemand wollte die Adresse ${notice.email} zu einem anderen Pult-Konto hinzufügen. Sie gehört weiterhin zu Ihrem Konto. Es hat sich nichts geändert.`,
        english: `An attempt was made to add the address ${notice.email} to another Pult account. The address still belongs to your account. Nothing has changed.`,
        note: {
          german: 'Sie brauchen nichts zu tun.',
          english: 'No action is needed.',
        },
        place: {
          path: '/me/emails',
          action: { german: 'Ihre Adressen ansehen', english: 'View your addresses' },
        },
      }
  }
}
