import type { ProjectState } from '@pult/contract'
import { AvatarGroup, contrastText, Elapsed, IconButton, StateBar, StateChip, StatusShape } from '@pult/ui'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import Star from 'lucide-react/icons/star'
import type { CSSProperties } from 'react'
import { arrowStop } from '#platform/arrow-keys.ts'
import { texts as deskTexts } from '#platform/desk/desk.texts.ts'
import { partsOf } from '#platform/desk/fleet-parts.ts'
import { statusOfProblems } from '#platform/desk/status-of-project.ts'
import { notify } from '#platform/notify.ts'
import { chooseProject } from './open-project.ts'
import styles from './ProjectRow.module.css'
import { useSetDefaultProject } from './project-list.queries.ts'
import { useActiveProject } from './projects.queries.ts'
import { texts } from './projects.texts.ts'

const words = deskTexts.overview

/** One project with its state. Choosing it opens it. */
export function ProjectRow({ project }: { project: ProjectState }) {
  const { mutateAsync: setDefault, isPending } = useSetDefaultProject()
  const isActive = useActiveProject()?._id === project._id
  const { label, isDefault, fleet, reach, tasks, people, lastActivityAt } = project

  const makeDefault = async () => {
    try {
      await setDefault(project._id)
    } catch (error) {
      notify.error(texts.setDefaultFailed, error)
    }
  }

  return (
    <li className={styles.row}>
      <button
        {...arrowStop}
        type="button"
        className={styles.choice}
        aria-current={isActive || undefined}
        onClick={() => chooseProject(project)}
      >
        <span className={styles.project}>
          <Initial project={project} />
          <span className={styles.texts}>
            <span className={styles.label}>{label}</span>
            <span className={styles.facts}>
              {roleOf(project)}
              {isActive && (
                <StateChip plain status="ok">
                  {texts.active}
                </StateChip>
              )}
            </span>
          </span>
        </span>
        <span className={styles.edges}>
          {fleet !== null && fleet.total > 0 && (
            <>
              <StateBar legend={false} parts={partsOf(fleet)} className={styles.bar} />
              {deskTexts.edges(fleet.total)}
            </>
          )}
        </span>
        <span className={styles.state}>
          <Verdict project={project} />
        </span>
        <span className={styles.reach}>{reach !== null && words.share(reach)}</span>
        <span className={styles.tasks}>
          {tasks.running > 0 && (
            <span role="img" aria-label={words.running(tasks.running)} title={words.running(tasks.running)}>
              <LoaderCircle aria-hidden="true" />
              {tasks.running}
            </span>
          )}
        </span>
        <span className={styles.people}>
          {people !== null && <AvatarGroup people={people.first} total={people.total} />}
        </span>
        <span className={styles.activity}>
          {lastActivityAt !== null && <Elapsed since={lastActivityAt} />}
        </span>
      </button>
      {isDefault ? (
        <span className={styles.default}>
          <Star aria-hidden="true" />
          <span className={styles.word}>{texts.isDefault}</span>
        </span>
      ) : (
        <IconButton
          label={texts.setDefault(label)}
          icon={<Star aria-hidden="true" />}
          disabled={isPending}
          onClick={() => void makeDefault()}
        />
      )}
    </li>
  )
}

function roleOf({ access, roles }: ProjectState): string {
  if (access === 'owner') return words.owner
  if (access === 'organisation-owner') return words.organisationOwner
  return access === 'root' ? words.root : [...new Set(roles)].join(', ')
}

/** The state in one word. Nothing where the user does not see the edges. */
function Verdict({ project: { problems, fleet } }: { project: ProjectState }) {
  const status = statusOfProblems(problems)
  if (status !== null) return <StateChip status={status}>{deskTexts.problems(problems.count)}</StateChip>
  if (fleet === null || fleet.total === 0) return null
  if (fleet.waiting === fleet.total) return <StateChip status="info">{words.waiting}</StateChip>
  return (
    <span className={styles.well}>
      <StatusShape status="ok" />
      {deskTexts.allWell}
    </span>
  )
}

function Initial({ project: { label, consoleColor } }: { project: ProjectState }) {
  const [initial] = label.trim()
  const colors = { '--project': consoleColor, '--on-project': contrastText(consoleColor) } as CSSProperties
  return (
    <span className={styles.initial} style={colors} aria-hidden="true">
      {initial?.toUpperCase()}
    </span>
  )
}
