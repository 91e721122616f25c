import styles from './KnownUsername.module.css'

/** Renders a hidden username field, so that password managers find the account although the user types no name. */
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
