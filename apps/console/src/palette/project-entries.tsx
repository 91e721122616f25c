import type { Project } from '@pult/contract'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import { chooseProject } from '../projects/open-project.ts'
import type { Entry } from './entries.ts'
import { searchable } from './fuzzy.ts'
import { texts } from './palette.texts.ts'

/** The loaded projects and the server's matches. Choosing one makes it the active project. */
export function projectEntries(
  known: readonly Project[],
  found: readonly Project[],
  active: Project | null,
): Entry[] {
  const foundIds = new Set(found.map(({ _id }) => _id))
  const all = new Map([...known, ...found].map((project) => [project._id, project]))
  return [...all.values()].map((project): Entry => {
    const { _id, label, orgLabel, meta } = project
    return {
      id: `project ${_id}`,
      group: 'projects',
      label,
      detail: _id === active?._id ? texts.activeProject : (orgLabel ?? texts.switchTo),
      icon: <FolderKanban aria-hidden="true" />,
      search: searchable(label, [orgLabel ?? '', meta.customer, meta.projectId]),
      isFound: foundIds.has(_id),
      run: () => chooseProject(project),
    }
  })
}
