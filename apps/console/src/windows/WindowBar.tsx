import { createPortal } from 'react-dom'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import { useStore } from '#platform/use-store.ts'
import { AppIcon } from '../extensions/AppIcon.tsx'
import type { App } from '../extensions/registry.ts'
import { windowBarSlot } from '../shell/window-bar-slot.ts'
import styles from './WindowBar.module.css'
import { texts } from './windows.texts.ts'
import type { AppWindow } from './windows.ts'

/** A window as the bar shows it. */
export interface BarEntry {
  app: App
  window: AppWindow
  title: string
}

interface WindowBarProps {
  entries: readonly BarEntry[]
  topAppId: string | undefined
  /** To the front, or out of sight when it is there already. */
  onPress: (appId: string) => void
}

/** The open windows, in the header: each a button that brings it to the front or puts it away. */
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
