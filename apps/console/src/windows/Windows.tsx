import { useCallback, useEffect, useRef, useState } from 'react'
import { goTo } from '#platform/go-to.ts'
import { notify } from '#platform/notify.ts'
import { leaveDialog } from '#platform/unsaved-input/unsaved-input.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { type WindowRequest, windowRequests } from '#platform/window-requests.ts'
import { mayOpenApp } from '../extensions/app-access.ts'
import { safeMode } from '../extensions/fragments.ts'
import { reportNoAccess } from '../extensions/no-access.ts'
import { type App, apps, findApp, isRootApp } from '../extensions/registry.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { useWorkArea, workArea } from './use-work-area.ts'
import { type BarEntry, WindowBar } from './WindowBar.tsx'
import { WindowContent } from './WindowContent.tsx'
import { WindowFrame } from './WindowFrame.tsx'
import styles from './Windows.module.css'
import { WindowProvider } from './window-context.ts'
import { focusAfter, focusNearest, focusWindow } from './window-focus.ts'
import { listenToKeys } from './window-keys.ts'
import { placeOf } from './window-memory.ts'
import { texts } from './windows.texts.ts'
import {
  changeWindow,
  closeWindow,
  findWindow,
  openWindow,
  raiseWindow,
  restoreWindows,
  topWindow,
  windows,
} from './windows.ts'

/** All windows of the active project and of root apps, above the page and below the header. */
export function Windows() {
  const credentials = useCredentials()
  const project = useActiveProject()
  const all = useStore(apps)
  const opened = useStore(windows)
  const area = useWorkArea()
  const preview = useRef<HTMLDivElement>(null)
  const [titles, setTitles] = useState<Record<string, string>>({})
  const personId = credentials._id
  const projectId = project?._id ?? null

  useEffect(() => {
    if (safeMode.get()) return
    if (projectId !== null) restoreWindows(placeOf(personId, projectId))
    restoreWindows(placeOf(personId, null))
  }, [personId, projectId])

  const appOf = useCallback(
    (appId: string) => {
      const app = findApp(all, appId)
      return app && mayOpenApp(app.manifest, credentials, isRootApp(app) ? null : project) ? app : undefined
    },
    [all, credentials, project],
  )
  useWindowRequests(appOf, (app) => placeOf(personId, isRootApp(app) ? null : projectId))

  const entries = opened.flatMap((window) => {
    const app = appOf(window.appId)
    return app ? [{ app, window, title: titles[window.appId] || app.manifest.label }] : []
  })
  useLosses(entries)
  const top = topWindow(entries.map(({ window }) => window))?.appId
  const leaving = useLeaving()
  const { close } = leaving

  useEffect(
    () => listenToKeys({ area: workArea, isSheet: () => workArea().isSheet, close, minimise }),
    [close],
  )

  const press = (appId: string) => {
    if (appId === top) minimise(appId)
    else {
      raiseWindow(appId)
      focusWindow(appId)
    }
  }

  return (
    <>
      <WindowBar entries={entries} topAppId={top} onPress={press} />
      <div className={styles.layer} style={{ top: area.top }}>
        <div ref={preview} className={styles.preview} hidden />
        {entries.map(({ app, window, title }) => {
          const { appId, path, input } = window
          return (
            <WindowProvider
              key={appId}
              value={{
                app,
                window,
                title,
                area,
                isSheet: area.isSheet,
                close: () => close(appId),
                openAsPage: () => leaving.openAsPage(appId),
                minimise: () => minimise(appId),
              }}
            >
              <WindowFrame preview={preview} isTop={appId === top}>
                <TitledContent {...{ appId, path, input, setTitles }} />
              </WindowFrame>
            </WindowProvider>
          )
        })}
      </div>
      {leaving.dialog}
    </>
  )
}

interface TitledContentProps extends Omit<Parameters<typeof WindowContent>[0], 'onTitle'> {
  setTitles: (change: (titles: Record<string, string>) => Record<string, string>) => void
}

function TitledContent({ setTitles, ...content }: TitledContentProps) {
  const { appId } = content
  const show = useCallback(
    (title: string) => setTitles((titles) => ({ ...titles, [appId]: title })),
    [setTitles, appId],
  )
  return <WindowContent {...content} onTitle={show} />
}

function minimise(appId: string): void {
  changeWindow(appId, { isMinimised: true })
  focusAfter(appId)
}

/** Opens requested windows. */
function useWindowRequests(appOf: (appId: string) => App | undefined, place: (app: App) => string): void {
  const requests = useStore(windowRequests)
  useEffect(() => {
    if (requests.length === 0) return
    windowRequests.set([])
    const open = ({ appId, path }: WindowRequest) => {
      const app = appOf(appId)
      if (app === undefined) {
        reportNoAccess(appId, true)
        return
      }
      openWindow(app.manifest, place(app), path, workArea())
      if (path !== undefined) changeWindow(appId, { path })
      focusWindow(appId)
    }
    for (const request of requests) open(request)
  }, [requests, appOf, place])
}

/** Notifies the user when a window closes because its app was removed or is no longer accessible. */
function useLosses(entries: readonly BarEntry[]): void {
  const seen = useRef<readonly string[]>([])
  useEffect(() => {
    const now = entries.map(({ window }) => window.appId)
    for (const appId of seen.current) {
      const lost = now.includes(appId) ? undefined : findWindow(appId)
      if (lost === undefined) continue
      reportNoAccess(appId, !lost.place.endsWith(' root'))
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) focusNearest(appId)
      })
    }
    seen.current = now
  }, [entries])
}

/** Closes windows. Asks first if a window has unsaved input. */
function useLeaving() {
  const [asked, setAsked] = useState<{ appId: string; toPage: boolean } | null>(null)
  const leave = useCallback((appId: string, toPage: boolean) => {
    const window = findWindow(appId)
    setAsked(null)
    closeWindow(appId)
    if (toPage) goTo(`/app/${appId}/${window?.path ?? ''}`)
    // In the next frame, when the window no longer exists.
    requestAnimationFrame(() => (toPage ? undefined : focusAfter(appId)))
  }, [])
  const ask = useCallback(
    (appId: string, toPage: boolean) => {
      if (!findWindow(appId)?.input.isHeld()) {
        leave(appId, toPage)
        return
      }
      leaveDialog.load().then(
        () => setAsked({ appId, toPage }),
        (error: unknown) => notify.error(texts.closingFailed, error),
      )
    },
    [leave],
  )
  const close = useCallback((appId: string) => ask(appId, false), [ask])
  const LeaveDialog = asked && leaveDialog.get().LeaveDialog
  return {
    close,
    openAsPage: (appId: string) => ask(appId, true),
    dialog: LeaveDialog && (
      <LeaveDialog open onStay={() => setAsked(null)} onLeave={() => leave(asked.appId, asked.toPage)} />
    ),
  }
}
