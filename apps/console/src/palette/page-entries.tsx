import type { Credentials } from '@pult/contract'
import AtSign from 'lucide-react/icons/at-sign'
import Bell from 'lucide-react/icons/bell'
import BookOpen from 'lucide-react/icons/book-open'
import Building2 from 'lucide-react/icons/building-2'
import CircleUser from 'lucide-react/icons/circle-user'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import Grid3x3 from 'lucide-react/icons/grid-3x3'
import House from 'lucide-react/icons/house'
import Info from 'lucide-react/icons/info'
import KeyRound from 'lucide-react/icons/key-round'
import Languages from 'lucide-react/icons/languages'
import ListChecks from 'lucide-react/icons/list-checks'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import Shield from 'lucide-react/icons/shield'
import ShieldCheck from 'lucide-react/icons/shield-check'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import SunMoon from 'lucide-react/icons/sun-moon'
import type { ReactNode } from 'react'
import { goTo } from '#platform/go-to.ts'
import type { Entry } from './entries.ts'
import { searchable } from './fuzzy.ts'
import { texts } from './palette.texts.ts'

type PageName = keyof typeof texts.words & keyof typeof texts

interface Page {
  name: Exclude<PageName, 'appearance' | 'apiDocs'>
  href: string
  icon: ReactNode
  detail?: string
  group?: 'settings'
  forRoot?: boolean
}

const account = { detail: texts.account, group: 'settings' } as const
const settings = { detail: texts.settings, group: 'settings' } as const

const pages: readonly Page[] = [
  { name: 'home', href: '/', icon: <House aria-hidden="true" /> },
  { name: 'projects', href: '/projects', icon: <FolderKanban aria-hidden="true" /> },
  { name: 'organizations', href: '/orgs', icon: <Building2 aria-hidden="true" /> },
  { name: 'tasks', href: '/tasks', icon: <ListChecks aria-hidden="true" /> },
  { name: 'root', href: '/root', icon: <Shield aria-hidden="true" />, forRoot: true },
  { name: 'profile', href: '/me', icon: <CircleUser aria-hidden="true" />, ...account },
  { name: 'emails', href: '/me/emails', icon: <AtSign aria-hidden="true" />, ...account },
  { name: 'password', href: '/me/password', icon: <KeyRound aria-hidden="true" />, ...account },
  { name: 'passkeys', href: '/me/passkey', icon: <Fingerprint aria-hidden="true" />, ...account },
  { name: 'otp', href: '/me/otp', icon: <ShieldCheck aria-hidden="true" />, ...account },
  { name: 'sessions', href: '/me/sessions', icon: <MonitorSmartphone aria-hidden="true" />, ...account },
  {
    name: 'deviceSettings',
    href: '/settings/stream-decks',
    icon: <SlidersHorizontal aria-hidden="true" />,
    group: 'settings',
  },
  {
    name: 'settingsAppearance',
    href: '/settings/appearance',
    icon: <SunMoon aria-hidden="true" />,
    ...settings,
  },
  { name: 'language', href: '/settings/language', icon: <Languages aria-hidden="true" />, ...settings },
  { name: 'notifications', href: '/settings/notifications', icon: <Bell aria-hidden="true" />, ...settings },
  { name: 'streamDecks', href: '/settings/stream-decks', icon: <Grid3x3 aria-hidden="true" />, ...settings },
]

/** A page of the server, beside the console. */
const apiDocs: Entry = {
  id: 'page /api/docs',
  group: 'pages',
  label: texts.apiDocs,
  icon: <BookOpen aria-hidden="true" />,
  search: searchable(texts.apiDocs, [texts.words.apiDocs]),
  run: () => open('/api/docs', '_blank', 'noopener'),
}

/** The pages of the console itself. */
export function pageEntries({ isRoot }: Credentials): Entry[] {
  return [
    ...pages
      .filter(({ forRoot }) => isRoot || forRoot !== true)
      .map(({ name, href, icon, detail, group }): Entry => {
        const label = texts[name]
        return {
          // The device settings lead to one of the pages of the settings, which is an entry as well.
          id: name === 'deviceSettings' ? 'page /settings' : `page ${href}`,
          label,
          icon,
          run: () => goTo(href),
          group: group ?? 'pages',
          ...(detail !== undefined && { detail }),
          search: searchable(label, [texts.words[name], detail ?? '']),
        }
      }),
    ...(['contact', 'privacy', 'imprint'] as const).map(
      (name): Entry => ({
        id: `page /${name}`,
        group: 'pages',
        label: texts[name],
        run: () => goTo(`/${name}`),
        icon: <Info aria-hidden="true" />,
        search: searchable(texts[name]),
      }),
    ),
    ...(isRoot ? [apiDocs] : []),
  ]
}
