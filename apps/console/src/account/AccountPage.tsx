import KeyRound from 'lucide-react/icons/key-round'
import Mail from 'lucide-react/icons/mail'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis'
import ShieldCheck from 'lucide-react/icons/shield-check'
import UserRound from 'lucide-react/icons/user-round'
import { SectionPage } from '#platform/section/SectionPage.tsx'
import { texts } from './account.texts.ts'

const places = [
  {
    href: '/me/profile',
    under: ['/me'],
    label: texts.profile,
    icon: <UserRound aria-hidden="true" />,
  },
  { href: '/me/emails', label: texts.emails, icon: <Mail aria-hidden="true" /> },
  { href: '/me/password', label: texts.password, icon: <RectangleEllipsis aria-hidden="true" /> },
  { href: '/me/passkey', label: texts.passkeys, icon: <KeyRound aria-hidden="true" /> },
  { href: '/me/otp', label: texts.otp, icon: <ShieldCheck aria-hidden="true" /> },
  { href: '/me/sessions', label: texts.sessions, icon: <MonitorSmartphone aria-hidden="true" /> },
]

/** What belongs to the person who is signed in, one page at a time. */
export function AccountPage() {
  return <SectionPage title={texts.title} places={places} />
}
