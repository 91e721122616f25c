import { createPortal } from 'react-dom'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import { useStore } from '#platform/use-store.ts'
import { AppIcon } from '../extensions/AppIcon.tsx'
import type { App } from '../extensions/registry.ts'
import { windowBarSlot } from '../shell/window-bar-slot.ts'
import styles from './WindowBar.module.css'
import { texts } from './windows.texts.ts'
import type { AppWindow } from './windows.ts'

/** A window's entry in the bar. */
export interface BarEntry {
  app: App
  window: AppWindow
  title: string
}

interface WindowBarProps {
  entries: readonly BarEntry[]
  topAppId: string | undefined
  /** Raises the window, or minimises it if it is on top. */
  onPress: (appId: string) => void
}

/** The open windows in the header. Each is a button that raises or minimises its window. */
export function WindowBar({ entries, topAppId, onPress }: WindowBarProps) {
  const slot = useStore(windowBarSlot)
  if (slot === null || entries.length === 0) return null
  return createPortal(<Bar {...{ entries, topAppId, onPress }} />, slot)
}

function Bar({ entries, topAppId, onPress }: WindowBarProps) {
  const bar = useArrowKeys<HTMLDivElement>()
  return (
    <div ref={bar} className={styles.bar} role="toolbar" aria-label={texts.openWindows}>
      {entries.map(({ app, window: { appId, isMinimised }, title }) => (
        <button
          key={appId}
          type="button"
          className={styles.button}
          aria-label={isMinimised ? texts.minimised(title) : title}
          aria-pressed={appId === topAppId}
          data-minimised={isMinimised || undefined}
          title={title}
          onClick={() => onPress(appId)}
          {...arrowStop}
        >
          <AppIcon app={app} />
          <span className={styles.label}>{app.manifest.label}</span>
        </button>
      ))}
    </div>
  )
}
