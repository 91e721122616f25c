import { findEndpoints, type Project, type Thing } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { callQuery } from '@pult/sdk/host'
import { useSettled } from '@pult/sdk/resource'
import { AppTile, StateChip, type Status } from '@pult/ui'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import Cpu from 'lucide-react/icons/cpu'
import FileText from 'lucide-react/icons/file-text'
import Image from 'lucide-react/icons/image'
import ListChecks from 'lucide-react/icons/list-checks'
import Server from 'lucide-react/icons/server'
import User from 'lucide-react/icons/user'
import { type ReactNode, useMemo } from 'react'
import { api } from '#platform/api.ts'
import { goTo } from '#platform/go-to.ts'
import { withProject } from '#platform/project-address.ts'
import { openDocument } from '#platform/storage.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { openInWindow } from '#platform/window-requests.ts'
import { type AppAction, appActions, openApp, runAppAction, wordsOfAction } from '../extensions/actions.ts'
import { hasRole } from '../extensions/app-access.ts'
import { appIcon } from '../extensions/app-icons.ts'
import { loadPoint, withTimeout } from '../extensions/read-point.ts'
import { apps, findApp, registrationOf } from '../extensions/registry.ts'
import { usableThings } from '../extensions/usable-results.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import type { Entry, EntryAction } from './entries.ts'
import { fold, searchable } from './fuzzy.ts'
import { texts } from './palette.texts.ts'

const typingPause = 120

export interface FoundThings {
  entries: readonly Entry[]
  /** The sources whose results are missing. */
  missing: readonly string[]
  /** True until the records for the current text have loaded. */
  isPending: boolean
}

/** The records of all visible projects, and the results of extensions; without a text the newest records. */
export function useThings(text: string): FoundThings {
  const project = useActiveProject()
  const registered = useStore(apps)
  const search = useSettled(text.trim(), typingPause)
  const isSettled = search === text.trim()
  const actions = useMemo(() => (registered.length === 0 ? [] : appActions()), [registered])
  const wanted = useMemo(() => wantedActions(actions, search), [actions, search])
  const things = useFound(text.trim(), project, isSettled)
  const isPending = !isSettled || things.isPlaceholderData || things.isPending
  const targets = useTargets(wanted, project)
  const own = useProviders(search)

  return useMemo(() => {
    const entries = (things.data?.items ?? []).map((thing) => ({
      ...entryOf(thing, project, actions),
      isFound: !isPending && search !== '',
    }))
    const jobs = wanted.flatMap(({ app, action, objects }) =>
      (targets.get(objects) ?? [])
        .filter((thing) => thing.kind === action.on && thing.project._id === project?._id)
        .map(
          (thing): Entry => ({
            id: `job ${app.manifest.id} ${action.id} ${thing.id}`,
            group: 'actions',
            label: texts.job(action.label, thing.label),
            detail: app.manifest.label,
            icon: appIcon(action.icon ?? app.manifest.icon),
            search: searchable(texts.job(action.label, thing.label), wordsOfAction(action)),
            isFound: isSettled,
            run: () => void runAppAction({ app, action }, thing),
          }),
        ),
    )
    const fromApps = own.entries.map(({ isOfSearch, ...entry }) => ({
      ...entry,
      isFound: isSettled && isOfSearch,
    }))
    return {
      entries: [...entries, ...jobs, ...fromApps],
      missing: [
        ...(things.isError || things.data?.isPartial === true ? [texts.ownRecords] : []),
        ...own.missing,
      ],
      isPending,
    }
  }, [things.data, things.isError, targets, own, project, actions, wanted, isSettled, isPending, search])
}

/** How long results count as current, so that typing back and forth reads nothing. Milliseconds. */
const staleTime = 5000

const findInput = (q: string, project: Project | null) => ({ query: { project: project?._id, q } })

const useFound = (q: string, project: Project | null, isEnabled: boolean) =>
  useCall(findEndpoints.find, findInput(q, project), {
    staleTime,
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  })

/** The records that the actions are wanted for, by the words that find them. */
function useTargets(
  wanted: readonly WantedAction[],
  project: Project | null,
): ReadonlyMap<string, readonly Thing[]> {
  const searches = useMemo(() => [...new Set(wanted.map(({ objects }) => objects))], [wanted])
  const results = useQueries({
    queries: searches.map((objects) =>
      callQuery(api, findEndpoints.find, findInput(objects, project), { staleTime }),
    ),
    combine: (found) => found.map(({ data }) => data?.items ?? []),
  })
  return useMemo(
    () => new Map(searches.map((objects, index) => [objects, results[index] ?? []])),
    [searches, results],
  )
}

/** Results of the search providers of extensions, and the names of those that failed or did not answer. */
function useProviders(search: string) {
  const credentials = useCredentials()
  const project = useActiveProject()
  const providers = useStore(apps).flatMap((app) =>
    (app.manifest.search ?? [])
      .filter(({ role }) => role === undefined || hasRole(credentials, project, role))
      .map((provider) => ({ app, provider, registration: registrationOf(app) })),
  )
  return useQueries({
    queries: providers.map(({ app, provider, registration }) => ({
      queryKey: ['palette', 'provider', app.manifest.id, provider.id, project?._id ?? null, search],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        withTimeout(app, { signal, background: false }, async (context) =>
          usableThings(
            await (await loadPoint(registration?.search?.[provider.id], provider.id, app.extension))(
              search,
              context,
            ),
          ),
        ),
      enabled: registration !== undefined && search.length > 1,
      staleTime,
      retry: false,
    })),
    combine: (results) => ({
      missing: providers
        .filter((_, index) => results[index]?.isError === true)
        .map(({ app, provider }) => texts.sourceOf(app.manifest.label, provider.label)),
      entries: results.flatMap(({ data }, index) => {
        const source = providers[index]
        if (source === undefined || data === undefined) return []
        const { app, provider } = source
        const actions = appActions().filter((each) => each.app === app && each.action.on === provider.id)
        return data.map(({ id, label, detail, path, icon }) => ({
          id: `found ${app.manifest.id} ${provider.id} ${id}`,
          group: 'fromApps' as const,
          label,
          detail: detail ?? provider.label,
          icon: (
            <AppTile
              id={app.manifest.id}
              tint={app.manifest.tint}
              icon={appIcon(icon ?? app.manifest.icon)}
              size="small"
            />
          ),
          isThing: true,
          search: searchable(label, [detail ?? '']),
          isOfSearch: true,
          actions: actions.map((action) => actionOn(action, { id, label })),
          run: () => openApp(app.manifest.id, path),
          runInWindow: () => openInWindow({ appId: app.manifest.id, path }),
        }))
      }),
    }),
  })
}

interface WantedAction extends AppAction {
  /** The words that are the name of its target; empty for the newest records. */
  objects: string
}

/** "Restart Kabelwagen" and "Kabelwagen restart" combine an action with the name of its target. */
function wantedActions(actions: readonly AppAction[], search: string): WantedAction[] {
  const typed = search.split(/\s+/)
  return actions.flatMap(({ app, action }) => {
    const objects = typed.filter((word) => !isVerb(action, word))
    return objects.length === typed.length ? [] : [{ app, action, objects: objects.join(' ') }]
  })
}

const isVerb = (action: AppAction['action'], verb: string) =>
  action.on !== undefined &&
  verb.length > 2 &&
  [action.label, ...wordsOfAction(action)].some((words) =>
    fold(words)
      .split(/\s+/)
      .some((word) => word.startsWith(fold(verb))),
  )

const actionOn = ({ app, action }: AppAction, thing: { id: string; label: string }): EntryAction => ({
  id: action.id,
  label: action.label,
  icon: appIcon(action.icon ?? app.manifest.icon),
  run: () => void runAppAction({ app, action }, thing),
})

function entryOf(thing: Thing, active: Project | null, actions: readonly AppAction[]): Entry {
  const { kind, id, label, project } = thing
  const { appId, path, icon, group } = placeOf(thing)
  const isHere = project._id === active?._id
  const detail = [isHere ? null : project.label, ...detailsOf(thing)].filter((part) => part !== null)
  const open = () => {
    if (appId === null) goTo(path)
    else if (isHere) openApp(appId, path)
    // Another project has other apps, so its page is loaded.
    else openDocument(withProject(`/app/${appId}/${path}`, project._id))
  }
  const ownActions = isHere
    ? actions.filter(({ action }) => action.on === kind).map((action) => actionOn(action, thing))
    : []
  return {
    id: `${kind} ${id}`,
    group,
    label,
    icon: (
      <AppTile
        id={appId ?? 'tasks'}
        tint={appId === null ? 'slate' : findApp(apps.get(), appId)?.manifest.tint}
        icon={icon}
        size="small"
      />
    ),
    isThing: true,
    search: searchable(label, [thing.detail ?? '']),
    run: open,
    ...(detail.length > 0 && { detail: detail.join(' · ') }),
    ...stateOf(thing),
    ...(ownActions.length > 0 && { actions: ownActions }),
    ...(isHere && appId !== null && { runInWindow: () => openInWindow({ appId, path }) }),
  }
}

interface Place {
  group: Entry['group']
  icon: ReactNode
  /** Null for a page of the console. */
  appId: string | null
  path: string
}

function placeOf({ kind, id, label }: Thing): Place {
  switch (kind) {
    case 'edge':
      return { group: 'edges', icon: <Server aria-hidden="true" />, appId: 'edges', path: `edit/${id}` }
    case 'program': {
      const path = `edit/${id.split('/')[0] ?? ''}`
      return { group: 'edges', icon: <Cpu aria-hidden="true" />, appId: 'edges', path }
    }
    case 'medium':
      return {
        group: 'records',
        icon: <Image aria-hidden="true" />,
        appId: 'media-library',
        path: `edit/${id}`,
      }
    case 'note':
      return {
        group: 'records',
        icon: <FileText aria-hidden="true" />,
        appId: 'project-details',
        path: `notes/edit/${id}`,
      }
    case 'person':
      return {
        group: 'people',
        icon: <User aria-hidden="true" />,
        appId: 'project-details',
        path: `people/${id}`,
      }
    case 'task':
      return {
        group: 'records',
        icon: <ListChecks aria-hidden="true" />,
        appId: null,
        path: `/tasks?search=${encodeURIComponent(label)}`,
      }
  }
}

/** The kind of the record, and the matching text. */
function detailsOf({ kind, detail, state }: Thing): (string | null)[] {
  if (kind === 'medium') return [texts.media[(state ?? 'image') as keyof typeof texts.media], detail]
  if (kind === 'note' || kind === 'task' || kind === 'program') return [texts[kind], detail]
  return [detail]
}

const edgeStatus: Record<string, Status> = {
  online: 'ok',
  trouble: 'warning',
  offline: 'danger',
  enrolling: 'info',
  revoked: 'stopped',
}
const taskStatus: Record<string, Status> = {
  queued: 'info',
  running: 'info',
  finished: 'ok',
  rejected: 'failed',
  'timed-out': 'failed',
  aborted: 'stopped',
}

function stateOf({ kind, state, trouble }: Thing): Pick<Entry, 'state'> {
  if (state === null || (kind !== 'edge' && kind !== 'task')) return {}
  const [statuses, words] = kind === 'edge' ? [edgeStatus, texts.edgeStates] : [taskStatus, texts.taskStates]
  const word = causeOf(trouble) ?? (words as Readonly<Record<string, string>>)[state] ?? state
  return { state: <StateChip status={statuses[state] ?? 'info'}>{word}</StateChip> }
}

/** The cause in the words of the list of edges. */
function causeOf(trouble: Thing['trouble']): string | undefined {
  if (trouble == null) return undefined
  if (trouble.disk !== null) return texts.diskFull(trouble.disk)
  return trouble.stopped > 0 ? texts.stopped(trouble.stopped) : undefined
}
