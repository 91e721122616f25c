import { AppTile, Button, IconButton } from '@pult/ui'
import PictureInPicture from 'lucide-react/icons/picture-in-picture-2'
import { type MouseEvent, memo, startTransition, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import { openInWindow } from '#platform/window-requests.ts'
import { AppIcon } from './AppIcon.tsx'
import styles from './AppTiles.module.css'
import { texts } from './extensions.texts.ts'
import type { App, AppManifest } from './registry.ts'
import { retryApp } from './retry-app.ts'

/**
 * Number of tiles in the first render, more than fit on a screen. The others render in the following frames, so that
 * many apps do not block the page.
 */
const firstTiles = 24

interface AppTilesProps {
  apps: readonly App[]
  label: string
  /** A line below the label, by the app's id. */
  facts?: ReadonlyMap<string, string>
}

/** Apps as a grid of tiles. The tile of an app that failed to load shows the reason. */
export function AppTiles({ apps, label, facts }: AppTilesProps) {
  const grid = useArrowKeys<HTMLUListElement>()
  const [isWhole, setWhole] = useState(false)
  useEffect(() => startTransition(() => setWhole(true)), [])
  const shown = isWhole ? apps : apps.slice(0, firstTiles)
  return (
    <ul ref={grid} className={styles.tiles} aria-label={label}>
      {shown.map((app) => (
        <li key={app.manifest.id}>
          {app.state.status === 'broken' ? (
            <BrokenTile app={app} reason={app.state.reason} canRetry={app.state.canRetry} />
          ) : (
            <Tile manifest={app.manifest} fact={facts?.get(app.manifest.id)} />
          )}
        </li>
      ))}
    </ul>
  )
}

/** Memoised by manifest, because the list of all apps is rebuilt repeatedly while their code loads. */
const Tile = memo(function Tile({ manifest, fact }: { manifest: AppManifest; fact: string | undefined }) {
  const { id, label, container } = manifest
  const openWindow = () => openInWindow({ appId: id })
  const open = (event: MouseEvent) => {
    // Modifier keys make the browser open a new tab, which opens the window there.
    if (container === 'page' || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    openWindow()
  }
  return (
    <>
      <Link className={styles.tile} to={`/app/${id}`} onClick={open} {...arrowStop}>
        <AppTile id={id} tint={manifest.tint} icon={<AppIcon app={{ manifest }} />} />
        <span className={styles.texts}>
          <span className={styles.label}>{label}</span>
          {fact !== undefined && <span className={styles.fact}>{fact}</span>}
        </span>
      </Link>
      {container === 'page' && (
        <span className={styles.corner}>
          <IconButton
            label={texts.openInWindow(label)}
            icon={<PictureInPicture aria-hidden="true" />}
            onClick={openWindow}
          />
        </span>
      )}
    </>
  )
})

function BrokenTile({ app, reason, canRetry }: { app: App; reason: string; canRetry: boolean }) {
  return (
    <div className={styles.tile} data-broken>
      <AppTile id={app.manifest.id} tint="red" icon={<AppIcon app={app} />} />
      <span className={styles.texts}>
        <span className={styles.label}>{app.manifest.label}</span>
        <span className={styles.fact}>{reason}</span>
      </span>
      <Button onClick={() => retryApp(app, canRetry)} {...arrowStop}>
        {canRetry ? texts.retry : texts.reload}
      </Button>
    </div>
  )
}
