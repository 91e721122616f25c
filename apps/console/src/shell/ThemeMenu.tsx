import { IconButton } from '@pult/ui'
import type { ComponentProps } from 'react'
import { theme } from '#platform/theme.ts'
import { useStore } from '#platform/use-store.ts'
import { LazyMenu } from './LazyMenu.tsx'
import { texts } from './shell.texts.ts'
import { themes } from './themes.tsx'

const loadItems = async () => (await import('./ThemeMenuItems.tsx')).ThemeMenuItems

/** Light, dark or as the system says; remembered in this browser. */
export function ThemeMenu() {
  return <LazyMenu load={loadItems} button={ThemeButton} />
}

function ThemeButton(attributes: ComponentProps<'button'>) {
  const chosen = useStore(theme)
  return <IconButton {...attributes} label={`${texts.theme}: ${texts[chosen]}`} icon={themes[chosen]} />
}
