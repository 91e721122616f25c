import { EmptyState, Link } from '@pult/ui'
import { texts } from './tasks.texts.ts'

export function NoProject({ onLeave }: { onLeave: () => void }) {
  return (
    <EmptyState
      title={texts.noProject}
      text={texts.noProjectText}
      action={
        <Link href="/tasks" onClick={onLeave}>
          {texts.allTasks}
        </Link>
      }
    />
  )
}
