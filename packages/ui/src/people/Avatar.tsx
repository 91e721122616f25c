import '../styles/desk.css'
import { tintOf } from '../color/tint.ts'
import styles from './Avatar.module.css'
import { initialsOf } from './initials.ts'

export interface AvatarProps {
  /** Id of the account; the tint is derived from it. */
  id: string
  name: string
  size?: 'small' | 'medium' | undefined
  /** Announces the name and shows it on hover. Set it if no text beside the avatar contains the name. */
  labelled?: boolean | undefined
}

/** Shows a person as a circle with initials. */
export function Avatar({ id, name, size = 'medium', labelled = false }: AvatarProps) {
  return (
    <span
      className={styles.avatar}
      data-tint={tintOf(id)}
      data-size={size}
      {...(labelled ? { role: 'img', 'aria-label': name, title: name } : { 'aria-hidden': true })}
    >
      {initialsOf(name)}
    </span>
  )
}
