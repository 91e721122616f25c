import { AppTile, IconButton, StatusShape, VisuallyHidden } from '@pult/ui'
import PictureInPicture from 'lucide-react/icons/picture-in-picture-2'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { locale } from '#platform/locale.ts'
import { navigationStates } from '#platform/navigation-states.ts'
import { useStore } from '#platform/use-store.ts'
import { appsInWindows, openInWindow } from '#platform/window-requests.ts'
import type { App } from '../extensions/registry.ts'
import { Entry } from './Entry.tsx'
import { isCurrent } from './is-current.ts'
import { LateIcon } from './LateIcon.tsx'
import { texts } from './shell.texts.ts'

/** An app as an entry: opens as a page, and as a window by the second action or Ctrl Enter. */
export function AppEntry({ app, onOpen }: { app: App; onOpen?: () => void }) {
  const { id, label, container, tint } = app.manifest
  const { pathname } = useLocation()
  const isInWindow = useStore(appsInWindows).includes(id)
  const openWindow = () => {
    onOpen?.()
    openInWindow({ appId: id })
  }
  const follow = (event: MouseEvent) => {
    // Modifier keys make the browser open a new tab, which opens the window there.
    if (container === 'page' || event.ctrlKey || event.metaKey || event.shiftKey) onOpen?.()
    else {
      event.preventDefault()
      openWindow()
    }
  }
  const pressKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey === event.metaKey) return
    event.preventDefault()
    openWindow()
  }
  return (
    <Entry
      href={`/app/${id}`}
      icon={<AppTile id={id} tint={tint} size="small" icon={<LateIcon app={app} />} />}
      current={isCurrent(`/app/${id}`, pathname)}
      isInWindow={isInWindow}
      end={<AppState appId={id} isInWindow={isInWindow} />}
      second={
        container === 'page' && (
          <IconButton
            label={texts.openInWindow(label)}
            shortcut="Mod+Enter"
            // One stop of Tab for each app: the entry opens its window with the shortcut.
            tabIndex={-1}
            icon={<PictureInPicture aria-hidden="true" />}
            onClick={openWindow}
          />
        )
      }
      onOpen={follow}
      onKeyDown={pressKey}
      keys={container === 'page' ? 'Control+Enter' : undefined}
    >
      {label}
    </Entry>
  )
}

function AppState({ appId, isInWindow }: { appId: string; isInWindow: boolean }) {
  const state = useStore(navigationStates).get(appId)
  return (
    <>
      {isInWindow && (
        <>
          <PictureInPicture aria-hidden="true" />
          <VisuallyHidden>{texts.isInWindow}</VisuallyHidden>
        </>
      )}
      {state && (
        <>
          {state.status && <StatusShape status={state.status} />}
          <span aria-hidden="true">{shown(state.count)}</span>
          <VisuallyHidden>{state.label}</VisuallyHidden>
        </>
      )}
    </>
  )
}

const exactCount = 9_999

/** DEC-42: counts are exact up to a limit. */
function shown(count: number | undefined): string | undefined {
  if (count === undefined || count === 0) return undefined
  const text = Math.min(count, exactCount + 1).toLocaleString(locale)
  return count > exactCount ? `${text}+` : text
}
