import { Button, IconButton, StatusDot } from '@pult/ui'
import PictureInPicture from 'lucide-react/icons/picture-in-picture-2'
import { type MouseEvent, memo, startTransition, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import { openInWindow } from '#platform/window-wishes.ts'
import { AppIcon } from './AppIcon.tsx'
import styles from './AppTiles.module.css'
import { texts } from './extensions.texts.ts'
import type { App, AppManifest } from './registry.ts'
import { retryApp } from './retry-app.ts'

/** More than a screen has; the others follow with the next frames, so that many apps do not hold up the page. */
const tilesAtOnce = 24

/** Apps as a grid of tiles. One that could not be loaded says why. */
export function AppTiles({ apps, label }: { apps: readonly App[]; label: string }) {
  const grid = useArrowKeys<HTMLUListElement>()
  const [isWhole, setWhole] = useState(false)
  useEffect(() => startTransition(() => setWhole(true)), [])
  const shown = isWhole ? apps : apps.slice(0, tilesAtOnce)
  return (
    <ul ref={grid} className={styles.tiles} aria-label={label}>
      {shown.map((app) => (
        <li key={app.manifest.id}>
          {app.state.status === 'broken' ? (
            <BrokenTile app={app} reason={app.state.reason} canRetry={app.state.canRetry} />
          ) : (
            <Tile manifest={app.manifest} />
          )}
        </li>
      ))}
    </ul>
  )
}

/** The same as long as the manifest is, however often the list of all apps is made anew while their code arrives. */
const Tile = memo(function Tile({ manifest }: { manifest: AppManifest }) {
  const { id, label, container } = manifest
  const openWindow = () => openInWindow({ appId: id })
  const open = (event: MouseEvent) => {
    // Keys that are held ask the browser for a tab of its own, which opens the window there.
    if (container === 'page' || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    openWindow()
  }
  return (
    <>
      <Link className={styles.tile} to={`/app/${id}`} onClick={open} {...arrowStop}>
        <AppIcon app={{ manifest }} />
        <span className={styles.label}>{label}</span>
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
      <AppIcon app={app} />
      <span className={styles.label}>{app.manifest.label}</span>
      <p className={styles.reason}>
        <StatusDot status="danger">{reason}</StatusDot>
      </p>
      <Button onClick={() => retryApp(app, canRetry)} {...arrowStop}>
        {canRetry ? texts.retry : texts.reload}
      </Button>
    </div>
  )
}
