import { Alert, Button, Card, StateChip } from '@pult/sdk/ui'
import { useCheck } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './Overview.module.css'

/** Lets the server check whether all records that the project refers to still exist. */
export function CheckCard() {
  const { mutate: check, isPending, data, error } = useCheck()
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

type Check = NonNullable<ReturnType<typeof useCheck>['data']>

function Outcome({ verified, problems }: Check) {
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
