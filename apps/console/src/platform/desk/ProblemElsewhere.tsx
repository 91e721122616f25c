import type { ProblemOfProject } from '@pult/contract'
import { Elapsed, Link, StatusShape } from '@pult/ui'
import { withProject } from '#platform/project-address.ts'
import { texts } from './desk.texts.ts'
import styles from './ProblemElsewhere.module.css'
import { useProblemWords } from './problem-words.ts'

/** A problem in a list of several projects. It names its project and links to it. */
export function ProblemElsewhere({ problem }: { problem: ProblemOfProject }) {
  const { status, subject, what, since } = useProblemWords()(problem)
  const { project } = problem
  const path = 'edge' in problem ? `/app/edges/edit/${problem.edge._id}` : '/'
  return (
    <li className={styles.problem}>
      <StatusShape status={status} label={texts.severity[status]} />
      <span className={styles.words}>
        <Link className={styles.link} href={withProject(path, project._id)}>
          <b>{subject}</b> {what}
        </Link>
        <span className={styles.place}>
          {project.label}
          {since !== null && (
            <>
              {' · '}
              <Elapsed since={since} />
            </>
          )}
        </span>
      </span>
    </li>
  )
}
