import { compareNames } from '@pult/ui'

interface InOrganisation {
  org: string | null
  orgLabel: string | null
}

export interface ProjectGroup<Project> {
  /** Both are null for projects without an organisation. */
  org: string | null
  label: string | null
  projects: Project[]
}

/** Sorts organisations by name, with the group of other projects last. The order within a group stays. */
export function groupByOrganisation<Project extends InOrganisation>(
  projects: readonly Project[],
): ProjectGroup<Project>[] {
  const groups = new Map<string | null, ProjectGroup<Project>>()
  for (const project of projects) {
    const group = groups.get(project.org) ?? { org: project.org, label: project.orgLabel, projects: [] }
    group.projects.push(project)
    groups.set(project.org, group)
  }
  return [...groups.values()].toSorted(
    (a, b) => Number(a.org === null) - Number(b.org === null) || compareNames(a.label ?? '', b.label ?? ''),
  )
}
