import { Button, StatusDot } from '@pult/ui'
import { Link } from 'react-router'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import { AppIcon } from './AppIcon.tsx'
import styles from './AppTiles.module.css'
import { texts } from './extensions.texts.ts'
import type { App } from './registry.ts'
import { retryApp } from './retry-app.ts'

/** Apps as a grid of tiles. One that could not be loaded says why. */
export function AppTiles({ apps, label }: { apps: readonly App[]; label: string }) {
  const grid = useArrowKeys<HTMLUListElement>()
  return (
    <ul ref={grid} className={styles.tiles} aria-label={label}>
      {apps.map((app) => (
        <li key={app.manifest.id}>
          {app.state.status === 'broken' ? (
            <BrokenTile app={app} reason={app.state.reason} canRetry={app.state.canRetry} />
          ) : (
            <Link className={styles.tile} to={`/app/${app.manifest.id}`} {...arrowStop}>
              <AppIcon app={app} />
              <span className={styles.label}>{app.manifest.label}</span>
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

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
