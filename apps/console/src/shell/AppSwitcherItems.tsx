import { Menu, MenuItem, MenuSection } from '@pult/ui'
import PictureInPicture from 'lucide-react/icons/picture-in-picture-2'
import { useStore } from '#platform/use-store.ts'
import { openInWindow } from '#platform/window-wishes.ts'
import { type App, apps, isRootApp } from '../extensions/registry.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import type { LoadedMenuProps } from './LazyMenu.tsx'
import { OpeningMenu } from './OpeningMenu.tsx'
import { texts } from './shell.texts.ts'

export function AppSwitcherItems({ button, autoFocus }: LoadedMenuProps) {
  const project = useActiveProject()
  const all = useStore(apps)
  const registered = all.filter((app) => !isRootApp(app))
  const rootApps = all.filter(isRootApp)
  const pages = all.filter(({ manifest }) => manifest.container === 'page')
  return (
    <OpeningMenu button={button}>
      <Menu label={texts.apps} autoFocus={autoFocus}>
        <MenuSection title={project ? texts.project(project.label) : texts.noProject}>
          {registered.length === 0 && (
            <MenuItem disabled>{project ? texts.noApps : texts.noAppsWithoutProject}</MenuItem>
          )}
          {registered.map(toItem)}
        </MenuSection>
        {rootApps.length > 0 && <MenuSection title={texts.root}>{rootApps.map(toItem)}</MenuSection>}
        {pages.length > 0 && <MenuSection title={texts.inWindow}>{pages.map(toWindowItem)}</MenuSection>}
      </Menu>
    </OpeningMenu>
  )
}

function toItem({ manifest: { id, label, container } }: App) {
  return container === 'window' ? (
    <MenuItem key={id} onAction={() => openInWindow({ appId: id })}>
      {label}
    </MenuItem>
  ) : (
    <MenuItem key={id} href={`/app/${id}`}>
      {label}
    </MenuItem>
  )
}

function toWindowItem({ manifest: { id, label } }: App) {
  return (
    <MenuItem
      key={id}
      icon={<PictureInPicture aria-hidden="true" />}
      onAction={() => openInWindow({ appId: id })}
    >
      {label}
    </MenuItem>
  )
}
