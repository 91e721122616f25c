import { AvatarGroup, ButtonLink, contrastText, formatInstant, initialOf, PageHead } from '@pult/ui'
import FolderCog from 'lucide-react/icons/folder-cog'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import ListChecks from 'lucide-react/icons/list-checks'
import Plus from 'lucide-react/icons/plus'
import UserPlus from 'lucide-react/icons/user-plus'
import type { CSSProperties } from 'react'
import { ActionsMenu } from '#platform/desk/ActionsMenu.tsx'
import { texts as deskTexts } from '#platform/desk/desk.texts.ts'
import { timeOf } from '#platform/desk/problem-words.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { AddEdge } from './AddEdge.tsx'
import styles from './HomeHead.module.css'
import { texts } from './home.texts.ts'
import type { HomePartProps } from './home-part.ts'

const words = deskTexts.home

/** The heading of home: the project, the caller's role, its people and the most used actions. */
export function HomeHead({ project, home, rights }: HomePartProps) {
  const { orgLabel } = project
  const role = useRole({ project, home })
  const facts = [orgLabel === null ? texts.privateProject : texts.organizationProject(orgLabel), role]
  // Users who may not see the edges have no complete picture, so "all well" would be wrong for them.
  const seesAll = home?.fleet !== null || !project.products.includes('edges')
  // The card of an empty fleet has this action itself.
  const mayAddEdge = rights.mayManageEdges && (home === undefined || (home.fleet?.counts.total ?? 0) > 0)
  return (
    <PageHead
      icon={<Tile project={project} />}
      // A phone shows label and organisation in its header.
      title={<span className={styles.title}>{project.label}</span>}
      text={
        <>
          <span className={styles.facts}>{facts.filter(Boolean).join(' · ')}</span>
          {seesAll && home?.problemsTotal === 0 && <AllWell since={home.wellSince} />}
        </>
      }
      people={
        home?.people && (
          <span className={styles.people}>
            <AvatarGroup people={home.people.first} total={home.people.total} />
          </span>
        )
      }
      actions={
        <>
          {rights.mayInvite && (
            <ButtonLink
              className={styles.action}
              href="/app/project-details/people?invite="
              icon={<UserPlus aria-hidden="true" />}
            >
              {words.invite}
            </ButtonLink>
          )}
          {mayAddEdge && <AddEdge icon={<Plus aria-hidden="true" />} isHeld={home === undefined} />}
          <ActionsMenu
            label={words.moreActions}
            actions={[
              ...(rights.mayOpenDetails
                ? [
                    {
                      label: words.details,
                      href: '/app/project-details',
                      icon: <FolderCog aria-hidden="true" />,
                    },
                  ]
                : []),
              { label: words.allTasks, href: '/tasks', icon: <ListChecks aria-hidden="true" /> },
              { label: words.allProjects, href: '/projects', icon: <FolderKanban aria-hidden="true" /> },
            ]}
          />
        </>
      }
    />
  )
}

function useRole({ project, home }: Pick<HomePartProps, 'project' | 'home'>): string {
  const { _id } = useCredentials()
  if (_id === project.owner) return words.owner
  if (project.access === 'organisation-owner') return words.organisationOwner
  if (project.access === 'root') return words.root
  return [...new Set(home?.me.roles)].join(', ')
}

/** The state without problems, shown in the head instead of an empty card. */
function AllWell({ since }: { since: string | null }) {
  return (
    <span className={styles.well}>
      <span className={styles.facts}>{' · '}</span>
      {since === null ? (
        words.noProblem
      ) : (
        <>
          {words.wellSince}{' '}
          <time dateTime={since} title={formatInstant(since)}>
            {timeOf(since)}
          </time>
        </>
      )}
    </span>
  )
}

function Tile({ project: { label, config } }: Pick<HomePartProps, 'project'>) {
  const color = config.consoleColor
  const colors = { '--project': color, '--on-project': contrastText(color) } as CSSProperties
  return (
    <span className={styles.tile} style={colors} aria-hidden="true">
      {initialOf(label)}
    </span>
  )
}
