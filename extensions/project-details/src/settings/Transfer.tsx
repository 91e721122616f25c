import { isCancelled, useApi, useChange } from '@pult/sdk'
import { type Project, projectTaskEndpoints } from '@pult/sdk/api'
import { DownloadTask, TaskProgress, useStartTask } from '@pult/sdk/tasks'
import { Alert, Button, Card, FileUpload } from '@pult/sdk/ui'
import { texts } from '../project-details.texts.ts'
import { TaskOutcome } from '../TaskOutcome.tsx'
import styles from './Settings.module.css'

/** Exports the project as a ZIP and imports one. Both run as tasks, which continue when the user leaves the page. */
export function Transfer({ project: { _id: projectId } }: { project: Project }) {
  const call = useApi()
  const input = { params: { projectId }, body: {} }
  const { mutateAsync: startExport } = useChange(projectTaskEndpoints.export, () => input, { touches: [] })
  const exported = useStartTask(() => startExport())
  const imported = useStartTask((file: string) =>
    call(projectTaskEndpoints.import, { params: { projectId }, body: { file } }),
  )
  return (
    <Card title={texts.transfer}>
      <div className={styles.transfer}>
        <div className={styles.transferPart}>
          <p className={styles.quiet}>{texts.exportText}</p>
          {exported.error !== null && !isCancelled(exported.error) && (
            <Alert tone="danger">{exported.error.message}</Alert>
          )}
          {exported.task !== undefined && <DownloadTask task={exported.task} />}
          {exported.task?.fulfilledAt !== null && (
            <Button pending={exported.isStarting} onClick={() => exported.start()}>
              {texts.export}
            </Button>
          )}
        </div>
        <div className={styles.transferPart}>
          <p className={styles.quiet}>{texts.importText}</p>
          {imported.error !== null && !isCancelled(imported.error) && (
            <Alert tone="danger">{imported.error.message}</Alert>
          )}
          {imported.task !== undefined && <TaskOutcome task={imported.task} />}
          {imported.task?.fulfilledAt === null ? (
            <TaskProgress task={imported.task} />
          ) : (
            <FileUpload
              accept="application/zip,.zip"
              label={texts.import}
              project={projectId}
              disabled={imported.isStarting}
              onUploaded={({ filename }) => imported.start(filename)}
            />
          )}
        </div>
      </div>
    </Card>
  )
}
