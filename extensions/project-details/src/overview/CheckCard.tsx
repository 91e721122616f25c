import { useChange, useProject } from '@pult/sdk'
import { projectEndpoints, type ReplyOf } from '@pult/sdk/api'
import { Alert, Button, Card, StateChip } from '@pult/sdk/ui'
import { texts } from '../project-details.texts.ts'
import styles from './Overview.module.css'

/** Lets the server check whether all records that the project refers to still exist. */
export function CheckCard() {
  const { _id: projectId } = useProject()
  const {
    mutate: check,
    isPending,
    data,
    error,
  } = useChange(projectEndpoints.verify, () => ({ params: { projectId } }), { touches: [] })
  return (
    <Card title={texts.check}>
      <div className={styles.action}>
        <p className={styles.muted}>{texts.checkText}</p>
        <Button onClick={() => check()} pending={isPending} pendingLabel={texts.checking}>
          {texts.check}
        </Button>
        {error !== null ? (
          <Alert tone="danger" title={texts.checkFailed}>
            {error.message}
          </Alert>
        ) : (
          data && <Outcome {...data} />
        )}
      </div>
    </Card>
  )
}

function Outcome({ verified, problems }: ReplyOf<typeof projectEndpoints.verify>) {
  if (verified) return <Alert tone="success">{texts.inOrder}</Alert>
  return (
    <Alert tone="warning" title={texts.problems(problems.length)}>
      <ul className={styles.problems}>
        {problems.map(({ part, message }) => (
          <li key={`${part} ${message}`}>
            <StateChip plain status="warning">
              {texts.parts[part]}
            </StateChip>
            <p>{message}</p>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
