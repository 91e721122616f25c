import { Menu, MenuItem, MenuSection } from '@pult/ui'
import { useStore } from '#platform/use-store.ts'
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
      </Menu>
    </OpeningMenu>
  )
}

function toItem({ manifest: { id, label } }: App) {
  return (
    <MenuItem key={id} href={`/app/${id}`}>
      {label}
    </MenuItem>
  )
}
