import type { Credentials, Project } from '@pult/contract'
import { openInWindow } from '#platform/window-requests.ts'
import { AppIcon } from '../extensions/AppIcon.tsx'
import { openApp } from '../extensions/actions.ts'
import { mayOpenApp, mayOpenTab } from '../extensions/app-access.ts'
import { type App, isRootApp } from '../extensions/registry.ts'
import type { Entry } from './entries.ts'
import { searchable } from './fuzzy.ts'
import { inBoth } from './in-both.ts'
import { texts } from './palette.texts.ts'

/** The apps that the user may open, and their tabs. */
export function appEntries(apps: readonly App[], credentials: Credentials, project: Project | null): Entry[] {
  return apps.flatMap((app) => {
    const place = isRootApp(app) ? null : project
    const { manifest, extension } = app
    if (!mayOpenApp(manifest, credentials, place)) return []
    const icon = <AppIcon app={app} />
    const { id, label, labels, tabs = [] } = manifest
    const entryOf = (more: Pick<Entry, 'id' | 'label' | 'detail' | 'search'>, path?: string): Entry => ({
      ...more,
      group: 'apps',
      icon,
      ...(path !== undefined && { isPart: true }),
      run: () => openApp(id, path),
      runInWindow: () => openInWindow({ appId: id, ...(path !== undefined && { path }) }),
    })
    const words = [id, labels?.en ?? '', extension.label, isDescribed(id) ? inBoth(texts.words.apps, id) : '']
    return [
      entryOf({
        id: `app ${id}`,
        label,
        ...(isRootApp(app) && { detail: texts.rootApp }),
        search: searchable(label, words),
      }),
      ...tabs
        .filter((tab) => mayOpenTab(tab, manifest, credentials, place))
        .map((tab) =>
          entryOf(
            {
              id: `app ${id} ${tab.id}`,
              label: tab.label,
              detail: label,
              search: searchable(tab.label, [tab.labels?.en ?? '', label, labels?.en ?? '', tab.id]),
            },
            tab.id,
          ),
        ),
    ]
  })
}

const isDescribed = (id: string): id is keyof typeof texts.words.apps => Object.hasOwn(texts.words.apps, id)
