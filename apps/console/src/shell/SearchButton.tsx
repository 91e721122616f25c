import { Button } from '@pult/ui'
import Search from 'lucide-react/icons/search'
import { overlay } from '#platform/overlay.ts'
import styles from './SearchButton.module.css'
import { texts } from './shell.texts.ts'

/** Opens the command palette and shows its shortcut. */
export function SearchButton() {
  return (
    <Button
      variant="secondary"
      className={styles.button}
      icon={<Search aria-hidden="true" />}
      shortcut="Mod+K"
      aria-haspopup="dialog"
      onClick={() => overlay.set('palette')}
    >
      <span className={styles.label}>{texts.search}</span>
    </Button>
  )
}
