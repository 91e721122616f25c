import type { OverviewSort, ProjectState } from '@pult/contract'
import Lock from 'lucide-react/icons/lock'
import { texts as deskTexts } from '#platform/desk/desk.texts.ts'
import { groupByOrganisation, type ProjectGroup } from './group-by-organisation.ts'
import styles from './ProjectGroups.module.css'
import { ProjectRow } from './ProjectRow.tsx'
import { texts } from './projects.texts.ts'

const words = deskTexts.overview

interface ProjectGroupsProps {
  label: string
  projects: readonly ProjectState[]
  sort?: OverviewSort
  /** All projects are loaded, so that the groups may count them. */
  isWhole: boolean
}

/** Projects with their state, grouped by organisation. */
export function ProjectGroups({ label, projects, sort = 'worst', isWhole }: ProjectGroupsProps) {
  return (
    <div role="group" aria-label={label} className={styles.card}>
      <div className={styles.columns} aria-hidden="true">
        <span>{words.project}</span>
        <span>{words.edges}</span>
        <span>{words.state}</span>
        <span>{words.reachable}</span>
        <span>{words.tasks}</span>
        <span>{words.people}</span>
        <span>{words.lastActivity}</span>
      </div>
      {groupByOrganisation(sort === 'worst' ? projects.toSorted(worstFirst) : projects).map((group) => (
        <section key={group.org ?? ''}>
          <header className={styles.group}>
            <span className={styles.tile} aria-hidden="true">
              {group.label === null ? <Lock /> : group.label.trim().charAt(0).toUpperCase()}
            </span>
            <h2>{group.label ?? texts.private}</h2>
            {isWhole && <span className={styles.facts}>{factsOf(group)}</span>}
          </header>
          <ul>
            {group.projects.map((project) => (
              <ProjectRow key={project._id} project={project} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function factsOf({ projects }: ProjectGroup<ProjectState>): string {
  const edges = projects.reduce((sum, { fleet }) => sum + (fleet?.total ?? 0), 0)
  return [words.projects(projects.length), edges > 0 && deskTexts.edges(edges)].filter(Boolean).join(' · ')
}

/** The server's order, in which the default project comes first of those without a problem. */
const worstFirst = (a: ProjectState, b: ProjectState) =>
  Number(a.problems.count === 0) - Number(b.problems.count === 0) ||
  (a.problems.count === 0 ? Number(b.isDefault) - Number(a.isDefault) : 0)
