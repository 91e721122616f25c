import { rootPeopleEndpoints } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { useSettled } from '@pult/sdk/resource'
import User from 'lucide-react/icons/user'
import { useMemo } from 'react'
import { offeredActions } from '#platform/offered-actions.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { openInWindow } from '#platform/window-requests.ts'
import { openApp } from '../extensions/actions.ts'
import { apps, findApp } from '../extensions/registry.ts'
import { useProjectList } from '../projects/project-list.queries.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { useOwnAppSettings } from '../settings/extensions/own-app-settings.queries.ts'
import { windows } from '../windows/windows.ts'
import { actionEntries } from './action-entries.tsx'
import { appEntries } from './app-entries.tsx'
import type { Entry } from './entries.ts'
import { searchable } from './fuzzy.ts'
import { pageEntries } from './page-entries.tsx'
import { projectEntries } from './project-entries.tsx'
import { type FoundThings, useThings } from './thing-entries.tsx'
import { viewEntries } from './view-entries.tsx'

const typingPause = 150

/** All entries of the palette: those known to the page, and the server's matches for the text. */
export function useEntries(text: string): FoundThings {
  const credentials = useCredentials()
  const project = useActiveProject()
  const registered = useStore(apps)
  const offered = useStore(offeredActions)
  const hasWindows = useStore(windows).length > 0
  const hasAppSettings = (useOwnAppSettings().data?.length ?? 0) > 0
  const known = useProjectList('').items
  const found = useProjectList(text).items
  const people = usePeople(text, findApp(registered, 'accounts') !== undefined)

  const things = useThings(text)
  const here = useMemo(
    () => [
      ...appEntries(registered, credentials, project),
      ...actionEntries(offered, hasWindows),
      ...pageEntries(credentials, hasAppSettings),
      ...viewEntries(registered, credentials, project),
    ],
    // Actions of extensions appear with their apps.
    [registered, credentials, project, offered, hasWindows, hasAppSettings],
  )
  const projects = useMemo(() => projectEntries(known ?? [], found ?? [], project), [known, found, project])
  return useMemo(
    () => ({
      entries: [...here, ...projects, ...people, ...things.entries],
      missing: things.missing,
      isPending: things.isPending,
    }),
    [here, projects, people, things],
  )
}

const noEntries: readonly Entry[] = []

/** Accounts are listed for root only, and only during a search. */
function usePeople(text: string, hasAccounts: boolean): readonly Entry[] {
  const search = useSettled(text.trim(), typingPause)
  const { data } = useCall(
    rootPeopleEndpoints.list,
    { query: { search, limit: '8', sort: 'name' } },
    { enabled: hasAccounts && search.length > 1 },
  )
  return useMemo(
    () =>
      data?.items.map(
        ({ _id, firstname, lastname, email }): Entry => ({
          id: `person ${_id}`,
          group: 'people',
          label: `${firstname} ${lastname}`,
          detail: email,
          icon: <User aria-hidden="true" />,
          search: searchable(`${firstname} ${lastname}`, [email]),
          isFound: text.trim() === search,
          run: () => openApp('accounts', _id),
          runInWindow: () => openInWindow({ appId: 'accounts', path: _id }),
        }),
      ) ?? noEntries,
    [data, text, search],
  )
}
