import type { Edge } from '@pult/sdk/api'
import { Alert, Card, keepFocus } from '@pult/sdk/ui'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { TaskLog } from './TaskLog.tsx'

interface AgentCardProps {
  edge: Edge
  taskId: string | null
}

/** What the agent's commands do, and why they are missing. Absent while an agent that is online has nothing to show. */
export function AgentCard({ edge, taskId }: AgentCardProps) {
  const failed = edge.report?.update?.failed
  const isOnline = edge.state === 'online'
  if (isOnline && failed == null && taskId === null) return null
  return (
    <Card ref={keepFocus} tabIndex={-1} title={texts.agent}>
      {!isOnline && <p className={styles.quiet}>{texts.offlineHint}</p>}
      {failed != null && (
        <div className={styles.wentBack}>
          <Alert tone="warning" title={texts.wentBack(failed.version)}>
            {failed.reason}
          </Alert>
        </div>
      )}
      {taskId !== null && <TaskLog key={taskId} taskId={taskId} />}
    </Card>
  )
}
