import styles from './Login.module.css'
import { texts } from './login.texts.ts'

interface UsernameProps {
  username: string
  onChange: () => void
}

/** Who is signing in, with the way back. */
export function Username({ username, onChange }: UsernameProps) {
  return (
    <div className={styles.username}>
      <span className={styles.entered}>{username}</span>
      <button type="button" className={styles.change} onClick={onChange}>
        {texts.changeUsername}
      </button>
    </div>
  )
}
