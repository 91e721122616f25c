import type { OverviewSort, ProjectState } from '@pult/contract'
import { Button, type DataCardState, initialOf } from '@pult/ui'
import Lock from 'lucide-react/icons/lock'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useRef } from 'react'
import { texts as deskTexts } from '#platform/desk/desk.texts.ts'
import { useHeldRows } from '#platform/desk/use-held-rows.ts'
import { groupByOrganisation, type ProjectGroup } from './group-by-organisation.ts'
import styles from './ProjectGroups.module.css'
import { ProjectRow } from './ProjectRow.tsx'
import { texts } from './projects.texts.ts'

const words = deskTexts.overview

interface ProjectGroupsProps {
  label: string
  projects: readonly ProjectState[]
  sort?: OverviewSort
  /** True if all projects are loaded, so that the groups can show counts. */
  isWhole: boolean
  /** The query of the projects: search, order and pages. */
  question: string
  state: DataCardState
  /** False on the page of an organisation, whose head names the only group. */
  hasHeads?: boolean
}

/** Projects with their state, grouped by organisation. */
export function ProjectGroups({
  label,
  projects,
  sort = 'worst',
  isWhole,
  question,
  state,
  hasHeads = true,
}: ProjectGroupsProps) {
  const list = useRef<HTMLDivElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const { shown, waiting, showAll } = useHeldRows(list, {
    rows: sort === 'worst' ? projects.toSorted(worstFirst) : projects,
    question,
  })
  return (
    <div ref={list} className={styles.list}>
      {waiting > 0 && (
        <Button
          className={styles.waiting}
          onClick={() => {
            showAll()
            // The button disappears, so the list takes the focus.
            card.current?.focus()
          }}
        >
          {texts.waiting(waiting)}
        </Button>
      )}
      <div
        ref={card}
        role="group"
        aria-label={label}
        tabIndex={-1}
        className={styles.card}
        data-stale={state.kind === 'stale' || undefined}
      >
        {state.kind === 'stale' && (
          <p className={styles.stale}>
            <WifiOff aria-hidden="true" />
            <span className={styles.asOf}>{state.asOf}</span>
            <span>{state.text}</span>
          </p>
        )}
        <div className={styles.columns} aria-hidden="true">
          <span>{words.project}</span>
          <span>{words.edges}</span>
          <span>{words.state}</span>
          <span>
            <span className={styles.long}>{words.reachable}</span>
            <span className={styles.short}>{words.reachableShort}</span>
          </span>
          <span>{words.tasks}</span>
          <span>{words.people}</span>
          <span>{words.lastActivity}</span>
        </div>
        {groupByOrganisation(shown).map((group) => (
          <section key={group.org ?? ''}>
            {hasHeads && (
              <header className={styles.group}>
                <span className={styles.tile} aria-hidden="true">
                  {group.label === null ? <Lock /> : initialOf(group.label)}
                </span>
                <h2>{group.label ?? texts.private}</h2>
                {isWhole && <span className={styles.facts}>{factsOf(group)}</span>}
              </header>
            )}
            <ul>
              {group.projects.map((project) => (
                <ProjectRow key={project._id} project={project} />
              ))}
            </ul>
          </section>
        ))}
      </div>
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
