import KeyRound from 'lucide-react/icons/key-round'
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis'
import ShieldCheck from 'lucide-react/icons/shield-check'
import type { ReactNode } from 'react'
import styles from './MethodChoice.module.css'
import type { Method } from './methods.ts'
import { texts } from './recent-sign-in.texts.ts'

const icons: Record<Method, ReactNode> = {
  password: <RectangleEllipsis aria-hidden="true" />,
  passkey: <KeyRound aria-hidden="true" />,
  otp: <ShieldCheck aria-hidden="true" />,
}

interface MethodChoiceProps {
  methods: readonly Method[]
  chosen: Method | undefined
  onChoose: (method: Method) => void
}

/** The ways side by side; arrow keys go from one to the next. */
export function MethodChoice({ methods, chosen, onChoose }: MethodChoiceProps) {
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{texts.methods}</legend>
      {methods.map((method) => (
        <label key={method} className={styles.option}>
          <input
            type="radio"
            name="proof"
            checked={method === chosen}
            onChange={() => onChoose(method)}
            className={styles.input}
          />
          {icons[method]}
          {texts[method]}
        </label>
      ))}
    </fieldset>
  )
}
