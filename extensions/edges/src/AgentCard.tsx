import { isCancelled, useApi, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { Button, Card, ConfirmedAction, keepFocus } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { TaskLog } from './TaskLog.tsx'

interface AgentCardProps {
  edge: Edge
  taskId: string | null
  onBegun: (taskId: string) => void
}

/** What the agent can be told to do, and what it says while it does. */
export function AgentCard({ edge, taskId, onBegun }: AgentCardProps) {
  const call = useApi()
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId: edge._id }
  const diagnose = useMutation({
    mutationFn: () => call(edgeEndpoints.diagnose, { params }),
    onSuccess: ({ _id }) => onBegun(_id),
    onError: (error) => {
      if (!isCancelled(error)) notify({ title: texts.diagnoseFailed, error })
    },
  })
  return (
    <Card ref={keepFocus} tabIndex={-1} className={styles.card} title={texts.agent}>
      {edge.state === 'online' ? (
        <div className={styles.actions}>
          <Button pending={diagnose.isPending} onClick={() => diagnose.mutate()}>
            {texts.diagnose}
          </Button>
          <ConfirmedAction
            label={texts.restart}
            question={texts.restartQuestion(edge.label)}
            text={texts.restartText}
            confirmLabel={texts.restartConfirm}
            destructive={false}
            done={texts.restarting}
            run={async () => {
              const { _id } = await call(edgeEndpoints.restart, { params, body: {} })
              onBegun(_id)
            }}
          />
        </div>
      ) : (
        <p className={styles.quiet}>{texts.offlineHint}</p>
      )}
      {taskId !== null && <TaskLog key={taskId} taskId={taskId} />}
    </Card>
  )
}
