import { IconButton, Menu, MenuItem, MenuSection, MenuTrigger } from '@pult/ui'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useWorkArea } from './use-work-area.ts'
import { useWindow } from './window-context.ts'
import { elementOf } from './window-focus.ts'
import { handleByKeys } from './window-keys.ts'
import { texts } from './windows.texts.ts'
import { changeWindow } from './windows.ts'

/** Milliseconds until the closing menu has returned the focus to its button. */
const menuClosing = 200

/** All actions of a window, mainly for keyboard users. */
export function WindowMenu() {
  const { app, window, title, isSheet, openAsPage, close, minimise } = useWindow()
  const area = useWorkArea()
  const { appId, state } = window
  const handle = (kind: 'move' | 'resize') => () => {
    // Earlier, the closing menu would take the focus back.
    setTimeout(() => {
      elementOf(appId)?.focus()
      handleByKeys(appId, kind, area)
    }, menuClosing)
  }
  return (
    <MenuTrigger>
      <IconButton label={texts.menu} icon={<Ellipsis aria-hidden="true" />} />
      <Menu label={texts.menu} placement="bottom end">
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
    </MenuTrigger>
  )
}
