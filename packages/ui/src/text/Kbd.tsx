import styles from './Kbd.module.css'
import { hasAppleKeyboard, type Shortcut, shortcutLabel } from './shortcut.ts'

/** Shows a shortcut as printed on the keyboard: `<Kbd keys="Mod+S" />` shows "Ctrl S", on a Mac "⌘ S". */
export function Kbd({ keys }: { keys: Shortcut }) {
  return <kbd className={styles.kbd}>{shortcutLabel(keys, hasAppleKeyboard())}</kbd>
}
