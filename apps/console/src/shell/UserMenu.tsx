import { Avatar, Button, VisuallyHidden } from '@pult/ui'
import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ComponentProps } from 'react'
import { useCredentials } from '#platform/use-credentials.ts'
import { Dropdown } from './Dropdown.tsx'
import { texts } from './shell.texts.ts'
import styles from './UserMenu.module.css'

const load = async () => (await import('./AccountChoice.tsx')).AccountChoice

/** Shows the signed-in user, and a menu with the entries of the account. */
export function UserMenu() {
  return <Dropdown layer="account" button={UserButton} load={load} />
}

function UserButton(attributes: ComponentProps<'button'>) {
  const { _id, email, firstname, lastname } = useCredentials()
  return (
    <Button {...attributes} variant="ghost" className={styles.button}>
      <VisuallyHidden>{texts.account}</VisuallyHidden>
      <span aria-hidden="true">
        <Avatar id={_id} name={`${firstname} ${lastname}`} />
      </span>
      <span className={styles.email}>{email}</span>
      <ChevronDown aria-hidden="true" className={styles.chevron} />
    </Button>
  )
}
