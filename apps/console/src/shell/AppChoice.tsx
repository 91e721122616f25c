import { Popover } from '@pult/ui'
import { useStore } from '#platform/use-store.ts'
import { apps, isRootApp } from '../extensions/registry.ts'
import { pages } from '../pages/pages.tsx'
import { useActiveProject } from '../projects/projects.queries.ts'
import { AppEntry } from './AppEntry.tsx'
import type { DropdownContentProps } from './Dropdown.tsx'
import { LayerEntries } from './LayerEntries.tsx'
import { LayerGroup } from './LayerGroup.tsx'
import { texts } from './shell.texts.ts'

/** The apps of the active project and, for root, those of the installation. Each is listed once. */
export function AppChoice({ anchor, open, onClose }: DropdownContentProps) {
  const project = useActiveProject()
  const all = useStore(apps)
  const ofProject = all.filter((app) => !isRootApp(app))
  const rootApps = all.filter(isRootApp)
  return (
    <Popover anchor={anchor} open={open} onClose={onClose} label={texts.apps} placement="bottom start">
      <LayerEntries>
        <LayerGroup title={project?.label ?? texts.noActiveProject}>
          {ofProject.map((app) => (
            <AppEntry key={app.manifest.id} app={app} onOpen={onClose} />
          ))}
          {ofProject.length === 0 && <li>{project ? texts.noApps : texts.noAppsWithoutProject}</li>}
        </LayerGroup>
        {rootApps.length > 0 && (
          <LayerGroup title={pages.root.label}>
            {rootApps.map((app) => (
              <AppEntry key={app.manifest.id} app={app} onOpen={onClose} />
            ))}
          </LayerGroup>
        )}
      </LayerEntries>
    </Popover>
  )
}
