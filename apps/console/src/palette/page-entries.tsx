import type { Credentials } from '@pult/contract'
import BookOpen from 'lucide-react/icons/book-open'
import Building2 from 'lucide-react/icons/building-2'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import House from 'lucide-react/icons/house'
import Info from 'lucide-react/icons/info'
import ListChecks from 'lucide-react/icons/list-checks'
import Shield from 'lucide-react/icons/shield'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import type { ReactNode } from 'react'
import { goTo } from '#platform/go-to.ts'
import type { SectionPlace } from '#platform/section/section-place.ts'
import { texts as account } from '../account/account.texts.ts'
import { accountPlaces } from '../account/account-places.tsx'
import { texts as settings } from '../settings/settings.texts.ts'
import { settingsPlaces } from '../settings/settings-places.tsx'
import type { Entry } from './entries.ts'
import { searchable } from './fuzzy.ts'
import { texts } from './palette.texts.ts'

type PageName = keyof typeof texts.words & keyof typeof texts

interface Page {
  name: Exclude<PageName, 'appearance' | 'apiDocs'>
  href: string
  icon: ReactNode
  group?: 'settings'
  forRoot?: boolean
}

const pages: readonly Page[] = [
  { name: 'home', href: '/', icon: <House aria-hidden="true" /> },
  { name: 'projects', href: '/projects', icon: <FolderKanban aria-hidden="true" /> },
  { name: 'organizations', href: '/orgs', icon: <Building2 aria-hidden="true" /> },
  { name: 'tasks', href: '/tasks', icon: <ListChecks aria-hidden="true" /> },
  { name: 'root', href: '/root', icon: <Shield aria-hidden="true" />, forRoot: true },
  {
    name: 'deviceSettings',
    href: '/settings/stream-decks',
    icon: <SlidersHorizontal aria-hidden="true" />,
    group: 'settings',
  },
]

/** A page of the server, outside the console. */
const apiDocs: Entry = {
  id: 'page /api/docs',
  group: 'pages',
  label: texts.apiDocs,
  icon: <BookOpen aria-hidden="true" />,
  search: searchable(texts.apiDocs, [texts.words.apiDocs]),
  run: () => open('/api/docs', '_blank', 'noopener'),
}

const placeEntries = (section: string, places: readonly SectionPlace[]): Entry[] =>
  places.map(({ href, label, icon, words }) => ({
    id: `page ${href}`,
    label,
    icon,
    run: () => goTo(href),
    group: 'settings',
    detail: section,
    search: searchable(label, [words, section]),
  }))

/** The console's own pages. */
export function pageEntries({ isRoot }: Credentials): Entry[] {
  return [
    ...pages
      .filter(({ forRoot }) => isRoot || forRoot !== true)
      .map(({ name, href, icon, group }): Entry => {
        const label = texts[name]
        return {
          // The device settings open one of the settings pages, which is an entry as well.
          id: name === 'deviceSettings' ? 'page /settings' : `page ${href}`,
          label,
          icon,
          run: () => goTo(href),
          group: group ?? 'pages',
          search: searchable(label, [texts.words[name]]),
        }
      }),
    ...placeEntries(account.title, accountPlaces),
    ...placeEntries(settings.title, settingsPlaces),
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
