import type { Credentials } from '@pult/contract'
import BookOpen from 'lucide-react/icons/book-open'
import { goTo } from '#platform/go-to.ts'
import { texts as pageTexts } from '../pages/pages.texts.ts'
import { account, type Page, pages, settings } from '../pages/pages.tsx'
import type { Entry } from './entries.ts'
import { searchable } from './fuzzy.ts'
import { inBoth } from './in-both.ts'
import { texts } from './palette.texts.ts'

/** A page of the server, outside the console. */
const apiDocs: Entry = {
  id: 'page /api/docs',
  group: 'pages',
  label: texts.apiDocs,
  icon: <BookOpen aria-hidden="true" />,
  search: searchable(texts.apiDocs, [inBoth(texts, 'apiDocs'), inBoth(texts.words, 'apiDocs')]),
  run: () => open('/api/docs', '_blank', 'noopener'),
}

const { createProject, createOrganization, ...places } = pages

const entryOf = ({ path, label, icon, words }: Page): Entry => ({
  id: `page ${path}`,
  group: 'pages',
  label,
  icon,
  search: searchable(label, [words]),
  run: () => goTo(path),
})

const sections = { account, settings } as const

const entriesOfSection = (name: keyof typeof sections, mayOpen: (page: Page) => boolean): Entry[] => {
  const { title: detail, pages: all } = sections[name]
  return all.filter(mayOpen).map((page) => ({
    ...entryOf(page),
    group: 'settings',
    detail,
    search: searchable(page.label, [page.words, inBoth(pageTexts.labels, name)]),
  }))
}

/** Device settings is an alias of a settings page that has its own entry. */
const deviceSettings: Entry = {
  id: `page ${settings.path}`,
  group: 'settings',
  label: settings.entry.label,
  icon: settings.entry.icon,
  search: searchable(settings.entry.label, [
    inBoth(pageTexts.labels, 'deviceSettings'),
    inBoth(pageTexts.words, 'deviceSettings'),
  ]),
  run: () => goTo(settings.entry.href),
}

/** Pages that create something are actions. */
export const createEntries: readonly Entry[] = [createProject, createOrganization].map((page) => ({
  ...entryOf(page),
  id: `create ${page.path}`,
  group: 'actions',
  isCreation: true,
  search: searchable(page.label, [page.words, inBoth(texts.words, 'create')]),
}))

/** The console's own pages that the user may open. */
export function pageEntries({ isRoot }: Credentials, hasAppSettings: boolean): Entry[] {
  const mayOpen = ({ permission }: Page) =>
    permission === undefined || (permission === 'root' ? isRoot : hasAppSettings)
  return [
    ...Object.values(places).filter(mayOpen).map(entryOf),
    deviceSettings,
    ...entriesOfSection('account', mayOpen),
    ...entriesOfSection('settings', mayOpen),
    ...(isRoot ? [apiDocs] : []),
  ]
}
