import KeyRound from 'lucide-react/icons/key-round'
import Mail from 'lucide-react/icons/mail'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis'
import ShieldCheck from 'lucide-react/icons/shield-check'
import UserRound from 'lucide-react/icons/user-round'
import type { SectionPlace } from '#platform/section/section-place.ts'
import { texts } from './account.texts.ts'

/** The pages of the account area, in order. The routes use the same paths. */
export const accountPlaces: readonly SectionPlace[] = [
  {
    href: '/me/profile',
    under: ['/me'],
    label: texts.profile,
    words: texts.words.profile,
    icon: <UserRound aria-hidden="true" />,
  },
  { href: '/me/emails', label: texts.emails, words: texts.words.emails, icon: <Mail aria-hidden="true" /> },
  {
    href: '/me/password',
    label: texts.password,
    words: texts.words.password,
    icon: <RectangleEllipsis aria-hidden="true" />,
  },
  {
    href: '/me/passkey',
    label: texts.passkeys,
    words: texts.words.passkeys,
    icon: <KeyRound aria-hidden="true" />,
  },
  { href: '/me/otp', label: texts.otp, words: texts.words.otp, icon: <ShieldCheck aria-hidden="true" /> },
  {
    href: '/me/sessions',
    label: texts.sessions,
    words: texts.words.sessions,
    icon: <MonitorSmartphone aria-hidden="true" />,
  },
]
