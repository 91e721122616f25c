import { LinkButton } from './LinkButton.tsx'
import styles from './Proof.module.css'
import { texts } from './proof.texts.ts'

interface UsernameProps {
  username: string
  onChange: () => void
}

/** Shows the entered username with a link to change it. */
export function Username({ username, onChange }: UsernameProps) {
  return (
    <div className={styles.username}>
      <span className={styles.entered}>{username}</span>
      <LinkButton onClick={onChange}>{texts.changeUsername}</LinkButton>
    </div>
  )
}
