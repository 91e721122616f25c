import ChevronRight from 'lucide-react/icons/chevron-right'
import KeyRound from 'lucide-react/icons/key-round'
import { useFocusOnMount } from './focus-on-mount.ts'
import styles from './Login.module.css'
import { texts } from './login.texts.ts'
import { Username } from './Username.tsx'

interface MethodStepProps {
  username: string
  onPassword: () => void
  onChangeUsername: () => void
}

export function MethodStep({ username, onPassword, onChangeUsername }: MethodStepProps) {
  const first = useFocusOnMount<HTMLButtonElement>()
  return (
    <>
      <Username username={username} onChange={onChangeUsername} />
      <h2 className={styles.question}>{texts.chooseMethod}</h2>
      <ul className={styles.methods}>
        <li>
          <button ref={first} type="button" className={styles.method} onClick={onPassword}>
            <KeyRound aria-hidden="true" />
            {texts.password}
            <ChevronRight aria-hidden="true" />
          </button>
        </li>
      </ul>
    </>
  )
}
