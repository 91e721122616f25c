import { IconButton } from '@pult/ui'
import Ellipsis from 'lucide-react/icons/ellipsis'
import type { ComponentProps } from 'react'
import { LazyMenu } from '../shell/LazyMenu.tsx'
import { texts } from './windows.texts.ts'

const loadItems = async () => (await import('./WindowMenuItems.tsx')).WindowMenuItems

/** Everything that can be done with a window, for the keyboard above all. */
export function WindowMenu() {
  return <LazyMenu load={loadItems} button={MenuButton} />
}

function MenuButton(attributes: ComponentProps<'button'>) {
  return <IconButton {...attributes} label={texts.menu} icon={<Ellipsis aria-hidden="true" />} />
}
