import styles from './KnownUsername.module.css'

/** A hidden username field that lets password managers match the password to an account whose name is not typed. */
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
