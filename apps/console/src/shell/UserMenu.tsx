import { Button, VisuallyHidden } from '@pult/ui'
import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ComponentProps } from 'react'
import { useCredentials } from '#platform/use-credentials.ts'
import { LazyMenu } from './LazyMenu.tsx'
import { texts } from './shell.texts.ts'
import styles from './UserMenu.module.css'

const loadItems = async () => (await import('./UserMenuItems.tsx')).UserMenuItems

/** Who is signed in, and what is theirs. */
export function UserMenu() {
  return <LazyMenu load={loadItems} button={UserButton} />
}

function UserButton(attributes: ComponentProps<'button'>) {
  const { email, firstname, lastname } = useCredentials()
  return (
    <Button {...attributes} variant="ghost" className={styles.button}>
      <VisuallyHidden>{texts.account}</VisuallyHidden>
      <span className={styles.initials} aria-hidden="true">
        {initialsOf(firstname, lastname)}
      </span>
      <span className={styles.email}>{email}</span>
      <ChevronDown aria-hidden="true" className={styles.chevron} />
    </Button>
  )
}

function initialsOf(...names: string[]): string {
  const initials = names.map((name) => [...name.trim()][0] ?? '')
  return initials.join('').toUpperCase()
}
