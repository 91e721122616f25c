import { type Condition, conditionEndpoints } from '@pult/contract'
import { useChange } from '@pult/sdk'
import { Alert, Button, DataCard, StateChip, TimeAgo } from '@pult/ui'
import Send from 'lucide-react/icons/send'
import { messageOf } from '#platform/api-error.ts'
import type { CardProps } from './card-props.ts'
import styles from './condition.module.css'
import { texts } from './condition.texts.ts'
import { Facts } from './Facts.tsx'
import { GuideLink } from './GuideLink.tsx'
import { inMilliseconds } from './milliseconds.ts'

type Mail = NonNullable<Condition['mail']>

/** The state of outgoing mail, and a test that reports the mail server's response. */
export function MailCard({ mail, state }: { mail: Mail } & CardProps) {
  const { server, lastSent, waiting, failed, refused } = mail
  const test = useChange(conditionEndpoints.testMail, () => ({}), { touches: [conditionEndpoints.read] })
  return (
    <DataCard
      state={state}
      title={texts.mail}
      meta={<MailState mail={mail} />}
      foot={
        <>
          <Button icon={<Send aria-hidden="true" />} pending={test.isPending} onClick={() => test.mutate()}>
            {texts.sendTest}
          </Button>
          {server === null && <GuideLink guide="mail">{texts.howToSetUpMail}</GuideLink>}
        </>
      }
    >
      <Facts
        facts={[
          [texts.server, server === null ? texts.folder : <code key="server">{server}</code>],
          [
            texts.lastSent,
            lastSent === null ? (
              texts.never
            ) : (
              <span key="sent">
                <TimeAgo at={lastSent.at} />
                {lastSent.kind !== null && ` · ${texts.kinds[lastSent.kind]}`}
              </span>
            ),
          ],
          [texts.waiting, waiting],
          [texts.failedInWeek, failed],
        ]}
      />
      {refused.total > 0 && (
        <>
          <p className={styles.part}>{texts.refusedInWeek(refused.total)}</p>
          <ul className={styles.addresses}>
            {refused.addresses.map(({ email, answer }) => (
              <li key={email}>
                {email} <span>{answer}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {test.data !== undefined && <Answer {...test.data} isFolder={server === null} />}
      {test.error !== null && (
        <Alert tone="danger" title={texts.testNotSent}>
          {messageOf(test.error)}
        </Alert>
      )}
    </DataCard>
  )
}

function MailState({ mail: { server, trouble, failed, lastSent } }: { mail: Mail }) {
  if (server === null) return <StateChip status="warning">{texts.notSetUp}</StateChip>
  if (trouble !== null) return <StateChip status="danger">{texts.stuck}</StateChip>
  if (failed > 0) return <StateChip status="warning">{texts.gaveUp(failed)}</StateChip>
  if (lastSent === null) return <StateChip status="info">{texts.untried}</StateChip>
  return <StateChip status="ok">{texts.delivers}</StateChip>
}

interface AnswerProps {
  isSent: boolean
  isFolder: boolean
  to: string
  answer: string | null
  remedy?: string | undefined
  answeredIn: number
}

function Answer({ isSent, isFolder, to, answer, remedy, answeredIn }: AnswerProps) {
  const title = !isSent ? texts.testFailed(to) : isFolder ? texts.testWritten(to) : texts.testSent(to)
  return (
    <Alert tone={isSent ? 'success' : 'danger'} title={title} className={styles.answer}>
      {isSent && !isFolder && <p>{texts.answeredIn(inMilliseconds(answeredIn))}</p>}
      {remedy !== undefined && <p>{remedy}</p>}
      {answer !== null && <code>{answer}</code>}
    </Alert>
  )
}
