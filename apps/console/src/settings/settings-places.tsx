import Bell from 'lucide-react/icons/bell'
import Grid3x3 from 'lucide-react/icons/grid-3x3'
import Languages from 'lucide-react/icons/languages'
import SunMoon from 'lucide-react/icons/sun-moon'
import type { SectionPlace } from '#platform/section/section-place.ts'
import { texts } from './settings.texts.ts'

/** The pages of the settings, in order. The routes use the same paths. */
export const settingsPlaces: readonly SectionPlace[] = [
  {
    href: '/settings/appearance',
    under: ['/settings'],
    label: texts.appearance,
    words: texts.words.appearance,
    icon: <SunMoon aria-hidden="true" />,
  },
  {
    href: '/settings/language',
    label: texts.language,
    words: texts.words.language,
    icon: <Languages aria-hidden="true" />,
  },
  {
    href: '/settings/notifications',
    label: texts.notifications,
    words: texts.words.notifications,
    icon: <Bell aria-hidden="true" />,
  },
  {
    href: '/settings/stream-decks',
    label: texts.streamDecks,
    words: texts.words.streamDecks,
    icon: <Grid3x3 aria-hidden="true" />,
  },
]
