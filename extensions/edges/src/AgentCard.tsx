import type { Edge } from '@pult/sdk/api'
import { Alert, Card, keepFocus } from '@pult/sdk/ui'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { TaskLog } from './TaskLog.tsx'

interface AgentCardProps {
  edge: Edge
  taskId: string | null
}

/**
 * Shows a hint while the agent is offline, why it does not report, its failed update, and the log of the last task. Otherwise renders nothing.
 */
export function AgentCard({ edge, taskId }: AgentCardProps) {
  const failed = edge.report?.update?.failed
  const isOnline = edge.state === 'online'
  const { silence } = edge
  if (isOnline && failed == null && taskId === null) return null
  return (
    <Card ref={keepFocus} tabIndex={-1} title={texts.agent}>
      {!isOnline && silence === null && <p className={styles.quiet}>{texts.offlineHint}</p>}
      {silence !== null && (
        <div className={styles.wentBack}>
          <Alert tone="warning" title={texts.silentTitle}>
            {silence.reason === null ? texts.silentText : texts.silentReason(silence.reason)}
          </Alert>
        </div>
      )}
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
