import type { Credentials, Home, Project } from '@pult/contract'
import { Awaited, Card, DataCard, EmptyState, Page, Skeleton } from '@pult/ui'
import FolderX from 'lucide-react/icons/folder-x'
import type { ComponentType, ReactNode } from 'react'
import { ApiError } from '#platform/api-error.ts'
import { texts as deskTexts } from '#platform/desk/desk.texts.ts'
import { useCardState } from '#platform/desk/use-card-state.tsx'
import { useCredentials } from '#platform/use-credentials.ts'
import { AccessRequestsCard } from './AccessRequestsCard.tsx'
import { ActivityCard } from './ActivityCard.tsx'
import { ElsewhereCard } from './ElsewhereCard.tsx'
import { FleetCard } from './FleetCard.tsx'
import { HomeHead } from './HomeHead.tsx'
import { homeReadEvery, useHome } from './home.queries.ts'
import { texts } from './home.texts.ts'
import type { HomeRights, LoadAbort } from './home-part.ts'
import { InvitationsCard } from './InvitationsCard.tsx'
import { NoApps } from './NoApps.tsx'
import { ProblemsCard } from './ProblemsCard.tsx'
import styles from './ProjectHome.module.css'
import { SecondFactorCard } from './SecondFactorCard.tsx'
import { TasksCard } from './TasksCard.tsx'
import { ValuesCard } from './ValuesCard.tsx'

export interface HomePageProps {
  /** The apps of the active project, or `empty` when the project has none. `facts` are second lines by app. */
  AppGrid: ComponentType<{ label: string; empty: ReactNode; facts?: ReadonlyMap<string, string> }>
  /** The first steps of a new root. Renders nothing for other users. */
  FirstSteps: ComponentType
  /** The cards that apps add. */
  HomeCards: ComponentType
  /** The reason why another page did not open. Renders nothing after an ordinary navigation. */
  Refused: ComponentType
  hasRole: (credentials: Credentials, project: Project, role: string) => boolean
  loadAbort: LoadAbort
}

/** The home page of a project: problems first, then fleet, apps, tasks, activity and invitations. */
export function ProjectHome({
  project,
  AppGrid,
  FirstSteps,
  HomeCards,
  Refused,
  hasRole,
  loadAbort,
}: { project: Project } & HomePageProps) {
  const credentials = useCredentials()
  const reading = useHome(project)
  const { data: home, error } = reading
  const state = useCardState(reading, {
    usual: homeReadEvery,
    skeleton: <CardSkeleton />,
    failed: deskTexts.home.partFailed,
    failedText: error?.message,
  })
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return <Gone />

  // Root and owner hold every role, also those of products that the project does not use.
  const may = (product: string, role: string) =>
    project.products.includes(product) && hasRole(credentials, project, role)
  const rights: HomeRights = {
    mayManageEdges: may('edges', 'edges:manage'),
    mayInvite: ['owner', 'root'].includes(project.access) && may('project', 'project-details:people'),
    mayOpenDetails: may('project', 'project-details'),
    mayOpenAudit: credentials.isRoot,
  }
  const isOwner = credentials._id === project.owner
  const parts = { project, home, state, rights }
  const hasFleet = home?.fleet != null
  // Online edges have reported, so the card is never empty.
  const hasValues = (home?.fleet?.counts.online ?? 0) + (home?.fleet?.counts.trouble ?? 0) > 0
  // Other projects are read after this one.
  const isSettled = home !== undefined || error !== null
  return (
    <Page
      width="data"
      head={<HomeHead {...parts} />}
      side={
        <>
          <TasksCard {...parts} loadAbort={loadAbort} />
          <ActivityCard {...parts} />
          <ElsewhereCard projectId={project._id} isEnabled={isSettled} />
          <InvitationsCard {...parts} />
          <SecondFactorCard />
        </>
      }
    >
      <Refused />
      <FirstSteps />
      {!isSettled && <Awaited height="160px" />}
      {state.kind === 'failed' && <DataCard title={deskTexts.home.problemsTitle} state={state} />}
      <ProblemsCard {...parts} />
      <AccessRequestsCard {...parts} />
      {hasFleet && (
        <div className={styles.fleet}>
          <FleetCard {...parts} />
          {hasValues && <ValuesCard projectId={project._id} />}
        </div>
      )}
      <section className={styles.apps} aria-label={texts.apps}>
        <AppGrid
          label={texts.apps}
          empty={<NoApps projectId={project._id} isOwner={isOwner} />}
          facts={factsOf(home)}
        />
      </section>
      <HomeCards />
    </Page>
  )
}

/** The second lines of the tiles. */
function factsOf(home: Home | undefined): ReadonlyMap<string, string> {
  const facts = new Map<string, string>()
  if (home === undefined) return facts
  const { counts, fleet, people } = home
  const words = deskTexts.home
  const offline = fleet?.counts.offline ?? 0
  if (counts.edges !== null)
    facts.set('edges', offline > 0 ? words.countOffline(offline) : words.countEdges(counts.edges))
  if (counts.media !== null) facts.set('media-library', words.countMedia(counts.media))
  if (people !== null) facts.set('project-details', words.countPeople(people.total))
  return facts
}

function Gone() {
  return (
    <Card>
      <EmptyState
        level={1}
        icon={<FolderX aria-hidden="true" />}
        title={deskTexts.home.goneTitle}
        text={deskTexts.home.goneText}
      />
    </Card>
  )
}

const CardSkeleton = () => (
  <span className={styles.skeleton}>
    <Skeleton width="62%" />
    <Skeleton width="84%" />
    <Skeleton width="48%" />
  </span>
)
