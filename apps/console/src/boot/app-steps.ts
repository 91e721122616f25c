import type { Fragment } from '@pult/contract'
import { queryClient } from '#platform/query-client.ts'
import { connection, openRealtime } from '#platform/realtime.ts'
import { fragmentsQuery } from '../extensions/extensions.queries.ts'
import { type App, registerExtensions, showApps } from '../extensions/registry.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { texts } from './boot.texts.ts'
import type { BootRun, StepWarning } from './boot.ts'

/** A console without its live connection still works; after this long the start goes on without it. */
const socketPatience = 4000

/** Starts what the steps wait for, so that it runs side by side although the steps are shown one after the other. */
export function prefetchApp(): void {
  openRealtime()
  void prepareFragments().catch(() => {})
}

export async function runAppSteps(run: BootRun): Promise<void> {
  prefetchApp()
  await run.step(texts.connectingSocket, connectSocket)
  await run.step(texts.loadingProjects, loadProjects)
  const fragments = await run.step(texts.prepareFragments, prepareFragments)
  const { registered } = await run.step(texts.registerExtensions, () => register(fragments))
  await run.step(texts.loadingApps, async () => showApps(registered))
}

async function connectSocket(): Promise<StepWarning> {
  openRealtime()
  return (await becomesReady(socketPatience)) ? {} : { warning: texts.socketLater }
}

function becomesReady(patience: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (ready: boolean) => {
      stop()
      clearTimeout(timer)
      resolve(ready)
    }
    const stop = connection.subscribe(() => connection.get() === 'ready' && settle(true))
    const timer = setTimeout(() => settle(false), patience)
    if (connection.get() === 'ready') settle(true)
  })
}

// What was fetched ahead is not fetched again. A failure shows in the step's line at once, and whoever sees it decides
// about another try.
const once = { staleTime: 'static', retry: false } as const

const loadProjects = () => queryClient.query({ ...activeProjectQuery, ...once })

async function prepareFragments(): Promise<Fragment[]> {
  const project = await loadProjects()
  return queryClient.query({ ...fragmentsQuery(project?._id ?? null), ...once })
}

/** One extension that does not load is a warning; the others and the console go on. */
async function register(fragments: readonly Fragment[]): Promise<StepWarning & { registered: App[] }> {
  const { registered, broken } = await registerExtensions(fragments)
  return { registered, ...(broken.length > 0 && { warning: texts.notLoaded(broken) }) }
}
