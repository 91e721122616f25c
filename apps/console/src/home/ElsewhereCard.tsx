import { Awaited, DataCard, Link } from '@pult/ui'
import { texts } from '#platform/desk/desk.texts.ts'
import { ProblemElsewhere } from '#platform/desk/ProblemElsewhere.tsx'
import { useCardState } from '#platform/desk/use-card-state.tsx'
import { elsewhereEvery, useProblemsElsewhere } from '../projects/overview.queries.ts'
import tasksStyles from './TasksCard.module.css'

const words = texts.home
const shown = 4

interface ElsewhereCardProps {
  projectId: string
  /** False until home's own data has loaded, which takes priority. */
  isEnabled: boolean
}

/** The worst problems of the user's other projects. Renders nothing without any. */
export function ElsewhereCard({ projectId, isEnabled }: ElsewhereCardProps) {
  const reading = useProblemsElsewhere(projectId, isEnabled)
  const { data: problems = [], error, isPending } = reading
  const state = useCardState(reading, {
    usual: elsewhereEvery,
    skeleton: null,
    failed: words.partFailed,
    failedText: error?.message,
  })
  if (isPending) return <Awaited height="160px" />
  if (problems.length === 0 && state.kind !== 'failed') return null
  return (
    <DataCard
      flush
      title={words.elsewhere}
      state={state}
      action={
        <Link className={tasksStyles.all} href="/projects">
          {words.allProjects}
        </Link>
      }
    >
      <ul aria-label={words.elsewhere}>
        {problems.slice(0, shown).map((problem) => (
          <ProblemElsewhere key={problem.id} problem={problem} />
        ))}
      </ul>
    </DataCard>
  )
}
