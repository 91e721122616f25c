import styles from './KnownUsername.module.css'

/** Tells password managers whose password a form asks for, where the username is known and not typed. Unseen. */
export function KnownUsername({ value }: { value: string }) {
  return (
    <input
      className={styles.username}
      name="username"
      autoComplete="username"
      value={value}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}
