import { Awaited, DataCard, Link } from '@pult/ui'
import { texts } from '#platform/desk/desk.texts.ts'
import { ProblemElsewhere } from '#platform/desk/ProblemElsewhere.tsx'
import { useProblemsElsewhere } from '../projects/overview.queries.ts'
import tasksStyles from './TasksCard.module.css'

const words = texts.home
const shown = 4

interface ElsewhereCardProps {
  projectId: string
  /** False until home itself has its answer, which goes first. */
  isWanted: boolean
}

/** The worst problems of the user's other projects. Absent without any. */
export function ElsewhereCard({ projectId, isWanted }: ElsewhereCardProps) {
  const { data: problems = [], isPending } = useProblemsElsewhere(projectId, isWanted)
  if (isPending) return <Awaited height="160px" />
  if (problems.length === 0) return null
  return (
    <DataCard
      flush
      title={words.elsewhere}
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
