import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'
import type { Notice } from './notice.ts'

interface NoticeLetter {
  to: string
  notice: Notice
  /** Where the person sees what happened, and ends what they do not know. */
  link: string
}

interface Words {
  subject: [german: string, english: string]
  german: string
  english: string
}

/** One mail in both languages: which one somebody reads is not known before they sign in. */
export function noticeLetter({ to, notice, link }: NoticeLetter): OutgoingMail {
  const { subject, german, english } = wordsOf(notice)
  return writeLetter({
    to,
    subject: subject.join(' / '),
    link,
    parts: [
      {
        language: 'de',
        paragraphs: ['Hallo,', german],
        action: 'Letzte Aktivitäten ansehen',
        note: 'Wenn du das warst, brauchst du nichts zu tun. Sonst setze gleich ein neues Passwort, sieh dir deine Sitzungen an und sprich mit deinem Administrator.',
      },
      {
        language: 'en',
        paragraphs: ['Hello,', english],
        action: 'See recent activity',
        note: 'If this was you, there is nothing you need to do. If not, set a new password at once, look at your sessions and talk to your administrator.',
      },
    ],
  })
}

function wordsOf(notice: Notice): Words {
  switch (notice.kind) {
    case 'password-changed':
      return {
        subject: ['Dein Passwort wurde geändert', 'Your password was changed'],
        german: 'das Passwort deines Pult-Kontos wurde geändert. Alle anderen Sitzungen sind beendet.',
        english: 'the password of your Pult account was changed. All other sessions have ended.',
      }
    case 'password-reset':
      return {
        subject: ['Dein Passwort wurde neu gesetzt', 'Your password was reset'],
        german:
          'das Passwort deines Pult-Kontos wurde über einen Link per E-Mail neu gesetzt. Alle Sitzungen sind beendet.',
        english: 'the password of your Pult account was reset by a mailed link. All sessions have ended.',
      }
    case 'password-locked':
      return {
        subject: ['Anmeldung mit Passwort gesperrt', 'Sign-in by password locked'],
        german:
          'bei deinem Pult-Konto wurde zu oft hintereinander ein falsches Passwort oder Einmalpasswort versucht. Die Anmeldung mit Passwort ist gesperrt, bis du über „Forgot password“ ein neues setzt. Passkeys gehen weiter.',
        english:
          'a wrong password or one-time password was tried too often in a row on your Pult account. Sign-in by password is locked until you set a new one with "Forgot password". Passkeys go on working.',
      }
    case 'otp-enabled':
      return {
        subject: ['Zwei-Faktor-Anmeldung aktiviert', 'Two-factor authentication enabled'],
        german: 'dein Pult-Konto fragt ab jetzt zusätzlich nach einem Einmalpasswort.',
        english: 'your Pult account now asks for a one-time password as well.',
      }
    case 'otp-disabled':
      return {
        subject: ['Zwei-Faktor-Anmeldung abgeschaltet', 'Two-factor authentication disabled'],
        german: 'dein Pult-Konto fragt nicht mehr nach einem Einmalpasswort.',
        english: 'your Pult account no longer asks for a one-time password.',
      }
    case 'otp-recovered':
      return {
        subject: ['Zwei-Faktor-Anmeldung wiederhergestellt', 'Two-factor authentication recovered'],
        german:
          'mit einem Wiederherstellungscode wurde für dein Pult-Konto ein neuer Authenticator eingerichtet. Alle Sitzungen sind beendet.',
        english:
          'a recovery code was used to set up a new authenticator for your Pult account. All sessions have ended.',
      }
    case 'recovery-codes-renewed':
      return {
        subject: ['Neue Wiederherstellungscodes', 'New recovery codes'],
        german:
          'für dein Pult-Konto wurden neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.',
        english: 'new recovery codes were made for your Pult account. The old ones no longer work.',
      }
    case 'passkey-added':
      return {
        subject: ['Passkey hinzugefügt', 'Passkey added'],
        german: `mit dem neuen Passkey „${notice.label}“ kann man sich jetzt an deinem Pult-Konto anmelden.`,
        english: `the new passkey "${notice.label}" can now sign in to your Pult account.`,
      }
    case 'passkey-removed':
      return {
        subject: ['Passkey gelöscht', 'Passkey deleted'],
        german: `der Passkey „${notice.label}“ gehört nicht mehr zu deinem Pult-Konto.`,
        english: `the passkey "${notice.label}" no longer belongs to your Pult account.`,
      }
    case 'passkey-suspicious':
      return {
        subject: ['Anmeldung mit Passkey abgelehnt', 'Sign-in by passkey refused'],
        german: `eine Anmeldung mit dem Passkey „${notice.label}“ wurde abgelehnt, weil sein Zähler zurückgegangen ist. Er könnte kopiert worden sein. Lösche ihn, wenn du unsicher bist.`,
        english: `a sign-in by the passkey "${notice.label}" was refused because its counter went back. It may have been copied. Delete it if you are not sure.`,
      }
    case 'email-added':
      return {
        subject: ['E-Mail-Adresse hinzugefügt', 'E-mail address added'],
        german: `zu deinem Pult-Konto wurde die Adresse ${notice.email} hinzugefügt. Sie zählt, sobald sie bestätigt ist.`,
        english: `the address ${notice.email} was added to your Pult account. It counts once it is confirmed.`,
      }
    case 'email-removed':
      return {
        subject: ['E-Mail-Adresse entfernt', 'E-mail address removed'],
        german: `die Adresse ${notice.email} gehört nicht mehr zu deinem Pult-Konto.`,
        english: `the address ${notice.email} no longer belongs to your Pult account.`,
      }
    case 'default-email-changed':
      return {
        subject: ['Neue Standard-Adresse', 'New default address'],
        german: `die Standard-Adresse deines Pult-Kontos ist jetzt ${notice.email}.`,
        english: `the default address of your Pult account is now ${notice.email}.`,
      }
  }
}
