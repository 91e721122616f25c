import { isCancelled, useApi, useProject } from '@pult/sdk'
import { projectTaskEndpoints } from '@pult/sdk/api'
import { TaskProgress, useStartTask } from '@pult/sdk/tasks'
import { Alert, Card, FileUpload } from '@pult/sdk/ui'
import { texts } from '../project-details.texts.ts'
import { TaskOutcome } from '../TaskOutcome.tsx'
import styles from './People.module.css'

/** Invites people from a list. The task's report lists the outcome of each line. */
export function InviteBatch() {
  const call = useApi()
  const { _id: projectId } = useProject()
  const { start, task, isStarting, error } = useStartTask((file: string) =>
    call(projectTaskEndpoints.inviteAll, { params: { projectId }, body: { file } }),
  )
  return (
    <Card title={texts.inviteMany}>
      <div className={styles.batch}>
        {error !== null && !isCancelled(error) && <Alert tone="danger">{error.message}</Alert>}
        {task !== undefined && <TaskOutcome task={task} />}
        {task?.fulfilledAt === null ? (
          <TaskProgress task={task} />
        ) : (
          <FileUpload
            accept="text/csv,text/plain,text/tab-separated-values,.csv,.tsv,.txt"
            label={texts.inviteBatch}
            description={texts.inviteBatchText}
            project={projectId}
            disabled={isStarting}
            onUploaded={({ filename }) => start(filename)}
          />
        )}
      </div>
    </Card>
  )
}
