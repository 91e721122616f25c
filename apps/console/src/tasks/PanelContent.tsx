import type { Project } from '@pult/contract'
import { Loaded } from '@pult/sdk/resource'
import { Button, EmptyState, IconButton, Link } from '@pult/ui'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { OpenJobs } from '#platform/open-jobs/OpenJobs.tsx'
import { seesJobs, useOpenJobs } from '#platform/open-jobs/open-jobs.queries.ts'
import { texts as jobTexts } from '#platform/open-jobs/open-jobs.texts.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { ArchiveEnded } from './ArchiveEnded.tsx'
import { TaskDetails } from './TaskDetails.tsx'
import { TaskFilterChoice } from './TaskFilterChoice.tsx'
import { TaskRows } from './TaskRows.tsx'
import styles from './TasksPanel.module.css'
import { type TaskFilter, taskFilters, useOlderTasks, useTaskIds } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'
import { useAbortDialog } from './use-abort-dialog.tsx'

interface PanelContentProps {
  project: Project
  withTitle: boolean
  onLeave: () => void
}

export function PanelContent({ project, withTitle, onLeave }: PanelContentProps) {
  const [filter, setFilter] = useState<TaskFilter>('all')
  const [openedId, setOpenedId] = useState<string | null>(null)
  const credentials = useCredentials()
  const { _id: personId } = credentials
  const tasks = useTaskIds(project._id, filter, personId)
  const jobs = useOpenJobs(project._id, filter !== 'ended' && seesJobs(project, credentials)).filter(
    ({ createdBy }) => filter !== 'mine' || createdBy?._id === personId,
  )
  const older = useOlderTasks(project._id)
  const { ask, dialog } = useAbortDialog()

  if (openedId !== null) {
    return (
      <>
        <TaskDetails project={project} taskId={openedId} onAbort={ask} onBack={() => setOpenedId(null)} />
        {dialog}
      </>
    )
  }
  return (
    <>
      <header className={styles.header}>
        {withTitle && <h2 className={styles.title}>{texts.title}</h2>}
        <TaskFilterChoice filters={taskFilters} value={filter} onChange={setFilter} />
        <IconButton label={texts.close} icon={<X aria-hidden="true" />} onClick={onLeave} />
      </header>
      {jobs.length > 0 && (
        <ul className={styles.jobs} aria-label={jobTexts.jobs}>
          <OpenJobs jobs={jobs} onOpen={onLeave} />
        </ul>
      )}
      <Loaded query={tasks} failed={texts.loadingFailed}>
        {(list) => (
          <TaskRows
            key={filter}
            project={project}
            ids={list.ids}
            onAbort={ask}
            onDetails={setOpenedId}
            older={
              list.hasOlder && filter !== 'running'
                ? { load: () => older.mutate(), isPending: older.isPending }
                : null
            }
            empty={
              jobs.length > 0 ? null : list.isEmpty ? (
                <EmptyState level={3} title={texts.none} text={texts.noneText} />
              ) : (
                <EmptyState
                  level={3}
                  title={texts.noneOfThese}
                  text={texts.noneOfTheseText}
                  action={<Button onClick={() => setFilter('all')}>{texts.filters.all}</Button>}
                />
              )
            }
          />
        )}
      </Loaded>
      <footer className={styles.footer}>
        <Link href="/tasks" onClick={onLeave}>
          {texts.allTasks}
        </Link>
        <ArchiveEnded projectId={project._id} disabled={tasks.data?.hasEnded !== true} />
      </footer>
      {dialog}
    </>
  )
}
