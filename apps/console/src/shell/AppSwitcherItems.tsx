import { Menu, MenuItem, MenuSection } from '@pult/ui'

import { useStore } from '#platform/use-store.ts'
import { apps, isRootApp } from '../extensions/registry.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import type { LoadedMenuProps } from './LazyMenu.tsx'
import { OpeningMenu } from './OpeningMenu.tsx'
import { texts } from './shell.texts.ts'

export function AppSwitcherItems({ button, autoFocus }: LoadedMenuProps) {
  const project = useActiveProject()
  const registered = useStore(apps).filter((app) => !isRootApp(app))
  return (
    <OpeningMenu button={button}>
      <Menu label={texts.apps} autoFocus={autoFocus}>
        <MenuSection title={project ? texts.project(project.label) : texts.noProject}>
          {registered.length === 0 && (
            <MenuItem disabled>{project ? texts.noApps : texts.noAppsWithoutProject}</MenuItem>
          )}
          {registered.map(({ manifest: { id, label } }) => (
            <MenuItem key={id} href={`/app/${id}`}>
              {label}
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
    </OpeningMenu>
  )
}
