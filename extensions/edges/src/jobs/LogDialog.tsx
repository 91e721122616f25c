import type { EdgeJobLine } from '@pult/sdk/api'
import { Loaded } from '@pult/sdk/resource'
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
  return (
    <Dialog open title={texts.logOf(label)} onClose={onClose}>
      <Loaded query={useJobLog(jobId, lineId)} failed={texts.logFailed}>
        {(lines) =>
          lines.length === 0 ? (
            <p className={styles.quiet}>{texts.noLog}</p>
          ) : (
            <ScrollRegion as="pre" className={styles.log}>
              {lines.join('\n')}
            </ScrollRegion>
          )
        }
      </Loaded>
      <DialogActions>
        <Button onClick={onClose}>{texts.close}</Button>
      </DialogActions>
    </Dialog>
  )
}
