import type { EdgeJobLine } from '@pult/sdk/api'
import { Waiting } from '@pult/sdk/resource'
import { Button, Dialog, DialogActions, ScrollRegion } from '@pult/sdk/ui'
import styles from './jobs.module.css'
import { useJobLog } from './jobs.queries.ts'
import { texts } from './jobs.texts.ts'

interface LogDialogProps {
  jobId: string
  line: EdgeJobLine
  onClose: () => void
}

/** The output of a job on one edge. */
export function LogDialog({ jobId, line: { _id: lineId, label }, onClose }: LogDialogProps) {
  const { data: lines, error, refetch } = useJobLog(jobId, lineId)
  return (
    <Dialog open title={texts.logOf(label)} onClose={onClose}>
      {lines === undefined ? (
        <Waiting failed={texts.logFailed} error={error} onRetry={() => void refetch()} />
      ) : lines.length === 0 ? (
        <p className={styles.quiet}>{texts.noLog}</p>
      ) : (
        <ScrollRegion as="pre" className={styles.log}>
          {lines.join('\n')}
        </ScrollRegion>
      )}
      <DialogActions>
        <Button onClick={onClose}>{texts.close}</Button>
      </DialogActions>
    </Dialog>
  )
}
