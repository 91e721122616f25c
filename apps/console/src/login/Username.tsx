import { LinkButton } from './LinkButton.tsx'
import styles from './Proof.module.css'
import { texts } from './proof.texts.ts'

interface UsernameProps {
  username: string
  onChange: () => void
}

/** Who is signing in, with the way back. */
export function Username({ username, onChange }: UsernameProps) {
  return (
    <div className={styles.username}>
      <span className={styles.entered}>{username}</span>
      <LinkButton onClick={onChange}>{texts.changeUsername}</LinkButton>
    </div>
  )
}
