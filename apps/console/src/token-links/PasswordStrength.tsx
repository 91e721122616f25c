import styles from './PasswordStrength.module.css'
import { type Strength, strengthOf, strengths } from './password-strength.ts'

interface PasswordStrengthProps {
  password: string
  /** The person's names and address. */
  ownWords: readonly string[]
  words: { passwordRule: string; strength: Record<Strength, string> }
}

/** The rule for a password and an estimate of the typed one. */
export function PasswordStrength({ password, ownWords, words }: PasswordStrengthProps) {
  const strength = strengthOf(password, ownWords)
  const filled = strength === null ? 0 : strengths.indexOf(strength) + 1
  return (
    <span className={styles.strength} data-strength={strength ?? undefined}>
      <span className={styles.bars} aria-hidden="true">
        {strengths.map((name, index) => (
          <span key={name} data-filled={index < filled || undefined} />
        ))}
      </span>
      <span>{words.passwordRule}</span>
      {strength !== null && <strong>{words.strength[strength]}</strong>}
    </span>
  )
}
