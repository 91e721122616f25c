import type { EdgeJob } from '@pult/contract'
import { AppTile, Link, Progress } from '@pult/ui'
import Server from 'lucide-react/icons/server'
import styles from './OpenJobs.module.css'
import { endedShare } from './open-jobs.queries.ts'
import { texts } from './open-jobs.texts.ts'

interface OpenJobsProps {
  jobs: readonly EdgeJob[]
  /** Called when the user follows a job's link. */
  onOpen?: () => void
}

/** Rows of unfinished jobs for a list of running work. */
export const OpenJobs = ({ jobs, onOpen }: OpenJobsProps) =>
  jobs.map((job) => {
    const title = titleOf(job)
    const share = endedShare(job)
    return (
      <li key={job._id} className={styles.job}>
        <AppTile id="edges" tint="teal" size="small" icon={<Server />} />
        <Link className={styles.title} href={`/app/edges/jobs/${job._id}`} title={title} onClick={onOpen}>
          {title}
        </Link>
        <span className={styles.progress}>{texts.progress(Math.round(share * job.total), job.total)}</span>
        <span className={styles.bar}>
          <Progress label={title} value={share * 100} />
        </span>
      </li>
    )
  })

function titleOf({ label, command, commandLabel }: EdgeJob): string {
  if (label !== null) return label
  switch (command.name) {
    case 'diagnostics':
    case 'restart':
      return texts.commands[command.name]
    case 'restart-instance':
      return texts.commands['restart-instance'](commandLabel ?? command.key)
    case 'run':
      return commandLabel ?? command.key
  }
}
