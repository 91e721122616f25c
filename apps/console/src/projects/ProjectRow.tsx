import type { ProjectState } from '@pult/contract'
import {
  AvatarGroup,
  contrastText,
  initialOf,
  Link,
  StateBar,
  StateChip,
  StatusShape,
  TimeAgo,
} from '@pult/ui'
import ExternalLink from 'lucide-react/icons/external-link'
import FolderCog from 'lucide-react/icons/folder-cog'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import Star from 'lucide-react/icons/star'
import type { CSSProperties, MouseEvent } from 'react'
import { arrowStop } from '#platform/arrow-keys.ts'
import { ActionsMenu } from '#platform/desk/ActionsMenu.tsx'
import { texts as deskTexts } from '#platform/desk/desk.texts.ts'
import { partsOf } from '#platform/desk/fleet-parts.ts'
import { statusOfProblems } from '#platform/desk/status-of-project.ts'
import { notify } from '#platform/notify.ts'
import { withProject } from '#platform/project-address.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { chooseProject } from './open-project.ts'
import styles from './ProjectRow.module.css'
import { useSetDefaultProject } from './project-list.queries.ts'
import { useActiveProject } from './projects.queries.ts'
import { texts } from './projects.texts.ts'

const words = deskTexts.overview

const facesShown = 3

/** One project with its state. Choosing the row opens the project. */
export function ProjectRow({ project }: { project: ProjectState }) {
  const isActive = useActiveProject()?._id === project._id
  const { _id, label, isDefault, fleet, reach, tasks, people, lastActivityAt } = project
  const hasEdges = fleet !== null && fleet.total > 0

  const open = (event: MouseEvent) => {
    // With a modifier key, the browser opens a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    chooseProject(project)
  }

  return (
    <li className={styles.row}>
      <span className={styles.project}>
        <Initial project={project} />
        <span className={styles.texts}>
          <Link
            {...arrowStop}
            className={styles.link}
            href={withProject('/', _id)}
            aria-current={isActive || undefined}
            onClick={open}
          >
            {label}
          </Link>
          <span className={styles.facts}>
            <span>{roleOf(project)}</span>
            {isActive && (
              <StateChip plain status="ok">
                {texts.active}
              </StateChip>
            )}
            {isDefault && (
              <span className={styles.default} title={texts.isDefault}>
                <Star aria-hidden="true" />
                <span>{texts.isDefault}</span>
              </span>
            )}
            {hasEdges && <span className={styles.onPhone}>{deskTexts.edges(fleet.total)}</span>}
          </span>
        </span>
      </span>
      <span className={styles.edges}>
        {hasEdges && (
          <>
            <StateBar legend={false} parts={partsOf(fleet)} className={styles.bar} />
            <span className={styles.inWords}>{deskTexts.edges(fleet.total)}</span>
            <span className={styles.inFigures}>{fleet.total}</span>
          </>
        )}
      </span>
      <span className={styles.state}>
        <Verdict project={project} />
      </span>
      <span className={styles.reach}>{reach !== null ? words.share(reach) : fleet !== null && <None />}</span>
      <span className={styles.tasks}>
        {tasks.running > 0 ? (
          <span role="img" aria-label={words.running(tasks.running)}>
            <LoaderCircle aria-hidden="true" />
            {tasks.running}
          </span>
        ) : (
          <None />
        )}
      </span>
      <span className={styles.people}>
        {people !== null && <AvatarGroup people={people.first.slice(0, facesShown)} total={people.total} />}
      </span>
      <span className={styles.activity}>{lastActivityAt !== null && <TimeAgo at={lastActivityAt} />}</span>
      <span className={styles.menu}>
        <RowMenu project={project} />
      </span>
    </li>
  )
}

/** Shows zero or no value. An empty cell means that the user has no access; every reader has access to tasks. */
const None = () => <span aria-hidden="true">–</span>

function RowMenu({ project: { _id, label, isDefault, access } }: { project: ProjectState }) {
  const { mutateAsync: setDefault } = useSetDefaultProject()
  const { scope } = useCredentials()
  const mayOpenDetails =
    access === 'owner' || access === 'root' || scope.includes(`p-${_id}/r-project-details`)

  const makeDefault = async () => {
    try {
      await setDefault(_id)
    } catch (error) {
      notify.error(texts.setDefaultFailed, error)
    }
  }

  const actions = [
    {
      label: texts.openInTab,
      icon: <ExternalLink aria-hidden="true" />,
      act: () => void open(withProject('/', _id), '_blank', 'noopener'),
    },
    ...(isDefault
      ? []
      : [{ label: texts.makeDefault, icon: <Star aria-hidden="true" />, act: () => void makeDefault() }]),
    ...(mayOpenDetails
      ? [
          {
            label: deskTexts.home.details,
            icon: <FolderCog aria-hidden="true" />,
            href: withProject('/app/project-details', _id),
          },
        ]
      : []),
  ]
  // The link itself opens in a new tab, so a menu with only that entry would add nothing.
  return actions.length > 1 && <ActionsMenu label={texts.actions(label)} actions={actions} />
}

function roleOf({ access, roles }: ProjectState): string {
  if (access === 'owner') return words.owner
  if (access === 'organisation-owner') return words.organisationOwner
  return access === 'root' ? words.root : [...new Set(roles)].join(', ')
}

/** The state in one word. Renders nothing if the user may not see the edges. */
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
  const colors = { '--project': consoleColor, '--on-project': contrastText(consoleColor) } as CSSProperties
  return (
    <span className={styles.initial} style={colors} aria-hidden="true">
      {initialOf(label)}
    </span>
  )
}
