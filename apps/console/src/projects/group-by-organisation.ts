import type { Project } from '@pult/contract'

export interface ProjectGroup {
  /** Both null for the projects without an organisation. */
  org: string | null
  label: string | null
  projects: Project[]
}

/** Organisations by their name, then the projects without one; in a group the order stays. */
export function groupByOrganisation(projects: readonly Project[]): ProjectGroup[] {
  const groups = new Map<string | null, ProjectGroup>()
  for (const project of projects) {
    const group = groups.get(project.org) ?? { org: project.org, label: project.orgLabel, projects: [] }
    group.projects.push(project)
    groups.set(project.org, group)
  }
  return [...groups.values()].toSorted(
    (a, b) => Number(a.org === null) - Number(b.org === null) || (a.label ?? '').localeCompare(b.label ?? ''),
  )
}
