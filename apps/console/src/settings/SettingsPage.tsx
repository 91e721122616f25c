import Bell from 'lucide-react/icons/bell'
import Grid3x3 from 'lucide-react/icons/grid-3x3'
import Languages from 'lucide-react/icons/languages'
import SunMoon from 'lucide-react/icons/sun-moon'
import { SectionPage } from '#platform/section/SectionPage.tsx'
import { texts } from './settings.texts.ts'

const places = [
  {
    href: '/settings/appearance',
    under: ['/settings'],
    label: texts.appearance,
    icon: <SunMoon aria-hidden="true" />,
  },
  { href: '/settings/language', label: texts.language, icon: <Languages aria-hidden="true" /> },
  { href: '/settings/notifications', label: texts.notifications, icon: <Bell aria-hidden="true" /> },
  { href: '/settings/stream-decks', label: texts.streamDecks, icon: <Grid3x3 aria-hidden="true" /> },
]

/** What the person has set, one page at a time. */
export function SettingsPage() {
  return <SectionPage title={texts.title} places={places} wide />
}
