import type { Credentials, Project } from '@pult/contract'
import { goTo } from '#platform/go-to.ts'
import { AppIcon } from '../extensions/AppIcon.tsx'
import { mayOpenApp } from '../extensions/app-access.ts'
import { type App, findApp } from '../extensions/registry.ts'
import { pages } from '../pages/pages.tsx'
import type { Entry } from './entries.ts'
import { searchable } from './fuzzy.ts'
import { inBoth } from './in-both.ts'
import { texts } from './palette.texts.ts'

type View = keyof typeof texts.views

const edgeViews = {
  offline: '/app/edges?state=offline',
  trouble: '/app/edges?state=trouble',
  jobs: '/app/edges/jobs',
  schedules: '/app/edges/schedules',
} as const satisfies Partial<Record<View, string>>

/** Parts of apps and pages that users search by their content: "offline", "job", "backup". */
export function viewEntries(
  apps: readonly App[],
  credentials: Credentials,
  project: Project | null,
): Entry[] {
  const edges = findApp(apps, 'edges')
  const { tasks, root } = pages
  return [
    ...(edges !== undefined && mayOpenApp(edges.manifest, credentials, project)
      ? Object.entries(edgeViews).map(([view, href]) =>
          entryOf(view as View, href, { detail: edges.manifest.label, icon: <AppIcon app={edges} /> }),
        )
      : []),
    entryOf('failed', `${tasks.path}?state=failed`, { detail: tasks.label, icon: tasks.icon }),
    ...(credentials.isRoot ? [entryOf('backups', root.path, { detail: root.label, icon: root.icon })] : []),
  ]
}

const entryOf = (view: View, href: string, look: Pick<Entry, 'icon'> & { detail: string }): Entry => ({
  ...look,
  id: `view ${view}`,
  group: 'pages',
  label: texts.views[view],
  isPart: true,
  search: searchable(texts.views[view], [
    inBoth(texts.views, view),
    inBoth(texts.words.views, view),
    look.detail,
  ]),
  run: () => goTo(href),
})
