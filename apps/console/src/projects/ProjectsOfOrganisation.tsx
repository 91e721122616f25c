import { Waiting } from '@pult/sdk/resource'
import { Card } from '@pult/ui'
import { useCardState } from '#platform/desk/use-card-state.tsx'
import { ShowMore } from '#platform/searched-list/ShowMore.tsx'
import { overviewEvery, useOverview } from './overview.queries.ts'
import { ProjectGroups } from './ProjectGroups.tsx'
import { texts } from './projects.texts.ts'

/** The projects of one organisation with their state. Renders nothing without any. */
export function ProjectsOfOrganisation({ orgId }: { orgId: string }) {
  const { items, error, retry, more, question, reading } = useOverview({ orgId })
  const state = useCardState(reading, { usual: overviewEvery, skeleton: null, failed: texts.loadingFailed })
  if (items === undefined) {
    return (
      <Card flush>
        <Waiting failed={texts.loadingFailed} error={error} onRetry={retry} />
      </Card>
    )
  }
  if (items.length === 0) return null
  return (
    <>
      <ProjectGroups
        label={texts.title}
        projects={items}
        isWhole={more === null}
        hasHeads={false}
        {...{ question, state }}
      />
      <ShowMore more={more} label={texts.more} />
    </>
  )
}
