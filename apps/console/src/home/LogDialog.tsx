import { Loaded } from '@pult/sdk/resource'
import { lineOf, useTaskTexts } from '@pult/sdk/task-list'
import { Dialog } from '@pult/ui'
import { texts } from '#platform/desk/desk.texts.ts'
import { useLog } from './home.queries.ts'
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
  return (
    <Dialog open title={words.logOf(title)} onClose={onClose}>
      <Loaded query={useLog(projectId, taskId)} failed={words.logFailed}>
        {(lines) =>
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
