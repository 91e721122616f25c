import { SegmentedControl } from '@pult/ui'
import { theme } from '#platform/theme.ts'
import { useStore } from '#platform/use-store.ts'
import { texts } from './shell.texts.ts'
import { themeNames, themes } from './themes.tsx'

/** The themes side by side, for places where a menu does not fit. */
export function ThemeChoice() {
  return (
    <SegmentedControl
      wide
      label={texts.theme}
      value={useStore(theme)}
      onChange={(name) => theme.choose(name)}
      segments={themeNames.map((name) => ({ value: name, label: texts[name], icon: themes[name] }))}
    />
  )
}
