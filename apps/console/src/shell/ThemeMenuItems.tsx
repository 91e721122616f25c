import { Menu, MenuItem } from '@pult/ui'

import { theme } from '#platform/theme.ts'
import { useStore } from '#platform/use-store.ts'
import type { LoadedMenuProps } from './LazyMenu.tsx'
import { OpeningMenu } from './OpeningMenu.tsx'
import { texts } from './shell.texts.ts'
import { isTheme, themeNames, themes } from './themes.tsx'

export function ThemeMenuItems({ button, autoFocus }: LoadedMenuProps) {
  const chosen = useStore(theme)
  const choose = (keys: Iterable<unknown>) => {
    for (const key of keys) if (isTheme(key)) theme.choose(key)
  }
  return (
    <OpeningMenu button={button}>
      <Menu
        autoFocus={autoFocus}
        label={texts.theme}
        placement="bottom end"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[chosen]}
        onSelectionChange={choose}
      >
        {themeNames.map((name) => (
          <MenuItem key={name} id={name} icon={themes[name]}>
            {texts[name]}
          </MenuItem>
        ))}
      </Menu>
    </OpeningMenu>
  )
}
