import { theme } from '#platform/theme.ts'
import { useStore } from '#platform/use-store.ts'
import { texts } from './shell.texts.ts'
import styles from './ThemeChoice.module.css'
import { themeNames, themes } from './themes.tsx'

/** The themes side by side, where there is room for all of them but not for a menu. */
export function ThemeChoice() {
  const chosen = useStore(theme)
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{texts.theme}</legend>
      {themeNames.map((name) => (
        <label key={name} className={styles.option}>
          <input
            type="radio"
            name="theme"
            checked={name === chosen}
            onChange={() => theme.choose(name)}
            className={styles.input}
          />
          {themes[name]}
          {texts[name]}
        </label>
      ))}
    </fieldset>
  )
}
