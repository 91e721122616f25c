import { Menu, MenuItem, MenuSection } from '@pult/ui'
import type { LoadedMenuProps } from '../shell/LazyMenu.tsx'
import { OpeningMenu } from '../shell/OpeningMenu.tsx'
import { useWorkArea } from './use-work-area.ts'
import { useWindow } from './window-context.ts'
import { elementOf } from './window-focus.ts'
import { handleByKeys } from './window-keys.ts'
import { texts } from './windows.texts.ts'
import { changeWindow } from './windows.ts'

export function WindowMenuItems({ button, autoFocus }: LoadedMenuProps) {
  const { app, window, title, isSheet, openAsPage, close, minimise } = useWindow()
  const area = useWorkArea()
  const { appId, state } = window
  const handle = (kind: 'move' | 'resize') => () => {
    handleByKeys(appId, kind, area)
    // Once the menu has given the focus back to its button.
    setTimeout(() => elementOf(appId)?.focus(), menuClosing)
  }
  return (
    <OpeningMenu button={button}>
      <Menu label={texts.menu} autoFocus={autoFocus} placement="bottom end">
        <MenuSection title={title}>
          {!isSheet && (
            <>
              <MenuItem onAction={handle('move')}>{texts.move}</MenuItem>
              <MenuItem onAction={handle('resize')}>{texts.resize}</MenuItem>
              <MenuItem shortcut="Mod+Alt+←" onAction={() => changeWindow(appId, { state: 'left' })}>
                {texts.snapLeft}
              </MenuItem>
              <MenuItem shortcut="Mod+Alt+→" onAction={() => changeWindow(appId, { state: 'right' })}>
                {texts.snapRight}
              </MenuItem>
              {state === 'free' ? (
                <MenuItem shortcut="Mod+Alt+↑" onAction={() => changeWindow(appId, { state: 'maximised' })}>
                  {texts.maximise}
                </MenuItem>
              ) : (
                <MenuItem shortcut="Mod+Alt+↓" onAction={() => changeWindow(appId, { state: 'free' })}>
                  {texts.restore}
                </MenuItem>
              )}
            </>
          )}
          <MenuItem onAction={minimise}>{texts.minimise}</MenuItem>
          {app.manifest.container === 'page' && <MenuItem onAction={openAsPage}>{texts.openAsPage}</MenuItem>}
          <MenuItem shortcut="Esc" onAction={close}>
            {texts.close}
          </MenuItem>
        </MenuSection>
      </Menu>
    </OpeningMenu>
  )
}

/** Milliseconds. */
const menuClosing = 200
