import { inert } from '#platform/mail/inert.ts'
import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'

/** The label of the role in both languages. */
interface RoleLabels {
  de: string
  en: string
}

interface RequestLetter {
  to: string
  link: string
  from: { name: string; email: string; isEmailVerified: boolean }
  project: string
  role: RoleLabels
  /** Empty if the user wrote none. */
  message: string
}

export function requestLetter({ to, link, from, role, ...letter }: RequestLetter): OutgoingMail {
  const name = inert(from.name)
  const project = inert(letter.project)
  const message = inert(letter.message)
  return writeLetter({
    kind: 'access-request',
    to,
    link,
    parts: [
      {
        language: 'de',
        subject: `${name} bittet um Zugriff auf ${project}`,
        paragraphs: [
          'Hallo,',
          `${name} (${from.email}${from.isEmailVerified ? '' : ', nicht bestätigt'}) bittet im Projekt „${project}“ um die Rolle ${role.de}.`,
          ...(message === '' ? [] : [`Nachricht: „${message}“`]),
        ],
        action: 'Anfrage beantworten',
        note: 'Sie erhalten diese Nachricht, weil Sie das Projekt besitzen.',
      },
      {
        language: 'en',
        subject: `${name} requests access to ${project}`,
        paragraphs: [
          'Hello,',
          `${name} (${from.email}${from.isEmailVerified ? '' : ', not verified'}) requests the role ${role.en} in the project "${project}".`,
          ...(message === '' ? [] : [`Message: "${message}"`]),
        ],
        action: 'Answer the request',
        note: 'You receive this message because you own the project.',
      },
    ],
  })
}

interface OutcomeLetter {
  outcome: 'granted' | 'declined'
  to: string
  link: string
  /** The name of the person who answered. */
  by: string
  project: string
  role: RoleLabels
}

export function outcomeLetter({ outcome, to, link, role, ...letter }: OutcomeLetter): OutgoingMail {
  const by = inert(letter.by)
  const project = inert(letter.project)
  const isGranted = outcome === 'granted'
  return writeLetter({
    kind: 'access-request',
    to,
    link,
    parts: [
      {
        language: 'de',
        subject: isGranted ? `Zugriff auf ${project} erteilt` : `Zugriff auf ${project} abgelehnt`,
        paragraphs: [
          'Hallo,',
          isGranted
            ? `${by} hat Ihnen im Projekt „${project}“ die Rolle ${role.de} erteilt.`
            : `${by} hat Ihre Bitte um die Rolle ${role.de} im Projekt „${project}“ abgelehnt.`,
        ],
        action: 'Projekt öffnen',
        note: 'Sie erhalten diese Nachricht, weil Sie um die Rolle gebeten haben.',
      },
      {
        language: 'en',
        subject: isGranted ? `Access to ${project} granted` : `Access to ${project} declined`,
        paragraphs: [
          'Hello,',
          isGranted
            ? `${by} gave you the role ${role.en} in the project "${project}".`
            : `${by} declined your request for the role ${role.en} in the project "${project}".`,
        ],
        action: 'Open the project',
        note: 'You receive this message because you requested the role.',
      },
    ],
  })
}
