import type { Overview } from '@pult/contract'
import { DataCard, type DataCardState } from '@pult/ui'
import { ActivityList } from '#platform/desk/ActivityList.tsx'
import { texts } from '#platform/desk/desk.texts.ts'
import { ProblemElsewhere } from '#platform/desk/ProblemElsewhere.tsx'

const words = texts.overview

interface OverviewSideProps {
  summary: NonNullable<Overview['summary']>
  state: DataCardState
}

/** The worst problems and the recent activity of all projects. */
export function OverviewSide({ summary, state }: OverviewSideProps) {
  const { attention, activity, problems } = summary
  return (
    <>
      {attention.length > 0 && (
        <DataCard
          flush
          title={words.attention}
          state={state}
          {...(problems > attention.length && { meta: words.all(problems) })}
        >
          <ul aria-label={words.attention}>
            {attention.map((problem) => (
              <ProblemElsewhere key={problem.id} problem={problem} />
            ))}
          </ul>
        </DataCard>
      )}
      {activity.length > 0 && (
        <DataCard flush title={words.lately} state={state}>
          <ActivityList label={words.lately} entries={activity} placeOf={({ project }) => project.label} />
        </DataCard>
      )}
    </>
  )
}
