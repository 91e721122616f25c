import styles from './Kbd.module.css'
import { hasAppleKeyboard, type Shortcut, shortcutLabel } from './shortcut.ts'

/** A shortcut as it stands on the keyboard: `<Kbd keys="Mod+S" />` reads "Ctrl S", on a Mac "⌘ S". */
export function Kbd({ keys }: { keys: Shortcut }) {
  return <kbd className={styles.kbd}>{shortcutLabel(keys, hasAppleKeyboard())}</kbd>
}
