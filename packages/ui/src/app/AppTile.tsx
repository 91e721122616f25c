import '../styles/desk.css'
import type { ReactNode } from 'react'
import { type Tint, tintOf } from '../color/tint.ts'
import styles from './AppTile.module.css'

export interface AppTileProps {
  /** From `lucide-react/icons/…`. */
  icon: ReactNode
  /** The app's tint. By default it is derived from the app's id. */
  tint?: Tint | undefined
  id: string
  size?: 'small' | 'medium' | undefined
}

/** Shows the icon of an app in a tinted square. Screen readers skip it, so show the app's name beside it. */
export function AppTile({ icon, tint, id, size = 'medium' }: AppTileProps) {
  return (
    <span className={styles.tile} data-tint={tint ?? tintOf(id)} data-size={size} aria-hidden="true">
      {icon}
    </span>
  )
}
