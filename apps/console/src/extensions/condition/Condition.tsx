import type { Condition as ConditionRecord } from '@pult/contract'
import { DataCard, type DataCardState, Remaining } from '@pult/ui'
import type { ReactNode } from 'react'
import { texts as deskTexts } from '#platform/desk/desk.texts.ts'
import { BackupsCard } from './BackupsCard.tsx'
import styles from './condition.module.css'
import { texts } from './condition.texts.ts'
import { MailCard } from './MailCard.tsx'
import { NodesCard } from './NodesCard.tsx'
import { RetentionCard } from './RetentionCard.tsx'
import { SignInCard } from './SignInCard.tsx'
import { StorageCard } from './StorageCard.tsx'
import { ToDo, type ToDoItem } from './ToDo.tsx'
import { ExtensionsCard, JobsCard } from './WorkCards.tsx'

interface ConditionProps {
  condition: ConditionRecord | undefined
  toDo: readonly ToDoItem[]
  /** The state of the query for the condition. */
  state: DataCardState
  /** Time of the next read, in epoch milliseconds. */
  nextAt: number
  onRetry: () => void
}

/**
 * The condition of the installation: decisions first, then a card for each part. A failed part shows its error in its
 * own card.
 */
export function Condition({ condition, toDo, state, nextAt, onRetry }: ConditionProps) {
  if (state.kind === 'failed') return <DataCard title={texts.storage} state={state} />
  const part = <Value,>(title: string, value: Value | null | undefined, card: (value: Value) => ReactNode) =>
    value === undefined ? (
      <DataCard title={title} state={state} />
    ) : value === null ? (
      <DataCard
        title={title}
        state={{
          kind: 'failed',
          title: texts.partFailed,
          text: texts.partFailedText,
          onRetry,
          retryLabel: deskTexts.retry,
          retryText: (
            <>
              {deskTexts.byItself} <Remaining until={nextAt} />
            </>
          ),
        }}
      />
    ) : (
      card(value)
    )
  return (
    <>
      {toDo.length > 0 && <ToDo items={toDo} />}
      <div className={styles.grid}>
        {part(texts.storage, condition, (value) => (
          <StorageCard condition={value} state={state} />
        ))}
        <BackupsCard />
        {part(texts.mail, condition?.mail, (mail) => (
          <MailCard mail={mail} state={state} />
        ))}
        {part(texts.signIn, condition?.signIn, (signIn) => (
          <SignInCard signIn={signIn} state={state} />
        ))}
        {part(texts.jobs, condition?.jobs, (jobs) => (
          <JobsCard jobs={jobs} state={state} />
        ))}
        {part(texts.extensions, condition?.extensions, (extensions) => (
          <ExtensionsCard extensions={extensions} state={state} />
        ))}
        {part(texts.nodes, condition?.nodes, (nodes) => (
          <NodesCard nodes={nodes} state={state} />
        ))}
        <RetentionCard />
      </div>
    </>
  )
}
