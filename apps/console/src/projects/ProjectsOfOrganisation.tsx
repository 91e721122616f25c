import { Waiting } from '@pult/sdk/resource'
import { Card } from '@pult/ui'
import { ShowMore } from '#platform/searched-list/ShowMore.tsx'
import { useOverview } from './overview.queries.ts'
import { ProjectGroups } from './ProjectGroups.tsx'
import { texts } from './projects.texts.ts'

/** The projects of one organisation with their state. Nothing without any. */
export function ProjectsOfOrganisation({ orgId }: { orgId: string }) {
  const { items, error, retry, more } = useOverview({ orgId })
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
      <ProjectGroups label={texts.title} projects={items} isWhole={more === null} />
      <ShowMore more={more} label={texts.more} />
    </>
  )
}
