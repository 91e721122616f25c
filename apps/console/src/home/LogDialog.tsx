import { taskEndpoints } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { Loaded } from '@pult/sdk/resource'
import { lineOf, useTaskTexts } from '@pult/sdk/task-list'
import { Dialog } from '@pult/ui'
import { texts } from '#platform/desk/desk.texts.ts'
import styles from './LogDialog.module.css'

const words = texts.home

interface LogDialogProps {
  projectId: string
  taskId: string
  title: string
  onClose: () => void
}

/** The last lines that a task has logged. */
export function LogDialog({ projectId, taskId, title, onClose }: LogDialogProps) {
  const taskTexts = useTaskTexts()
  const log = useCall(taskEndpoints.log, { params: { projectId, taskId } })
  return (
    <Dialog open title={words.logOf(title)} onClose={onClose}>
      <Loaded query={log} failed={words.logFailed}>
        {({ items: lines }) =>
          lines.length === 0 ? (
            <p>{words.noLog}</p>
          ) : (
            <pre className={styles.log}>{lines.map((line) => lineOf(line, taskTexts)).join('\n')}</pre>
          )
        }
      </Loaded>
    </Dialog>
  )
}
