import type { OwnEdgeDeck } from '@pult/contract'
import { Alert, Button, Card, TimeAgo } from '@pult/ui'
import { messageOf } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import styles from './AttachedDecks.module.css'
import { useAgreeToEdgeDeck, useEdgeDecks, useWithdrawFromEdgeDeck } from './edge-decks.queries.ts'
import { texts } from './stream-decks.texts.ts'

/** The decks at edges that act in the user's name, or would after consent. Renders nothing for most users. */
export function EdgeDecks() {
  const { data: decks = [], error } = useEdgeDecks()
  if (decks.length === 0 && error === null) return null
  return (
    <Card title={texts.atEdges} flush>
      <div className={styles.content}>
        {error === null ? (
          texts.atEdgesText
        ) : (
          <Alert tone="danger" title={texts.atEdgesFailed}>
            {messageOf(error)}
          </Alert>
        )}
      </div>
      <ul className={styles.decks}>
        {decks.map((deck) => (
          <EdgeDeckRow key={`${deck.edge._id} ${deck.serial}`} deck={deck} />
        ))}
      </ul>
    </Card>
  )
}

function EdgeDeckRow({ deck }: { deck: OwnEdgeDeck }) {
  const { edge, project, serial, agreedAt } = deck
  const agree = useAgreeToEdgeDeck()
  const withdraw = useWithdrawFromEdgeDeck()
  const isPending = agree.isPending || withdraw.isPending
  const name = texts.deckAt(serial, edge.label)
  const send = async (answer: typeof agree) => {
    try {
      await answer.mutateAsync(deck)
    } catch (failure) {
      notify.error(texts.answerFailed, failure)
    }
  }
  return (
    <li className={styles.deck}>
      <div className={styles.facts}>
        <span className={styles.name}>{edge.label}</span>
        <span className={styles.detail}>{`${project.label} · ${texts.serial(serial)}`}</span>
        <span className={styles.detail}>
          {agreedAt === null ? (
            texts.asksYou
          ) : (
            <>
              {texts.actsForYou} <TimeAgo at={agreedAt} />
            </>
          )}
        </span>
      </div>
      <div className={styles.actions}>
        {agreedAt === null && (
          <Button aria-label={texts.agreeTo(name)} pending={isPending} onClick={() => void send(agree)}>
            {texts.agree}
          </Button>
        )}
        <Button
          variant="ghost"
          aria-label={agreedAt === null ? texts.declineOf(name) : texts.withdrawFrom(name)}
          pending={isPending}
          onClick={() => void send(withdraw)}
        >
          {agreedAt === null ? texts.decline : texts.withdraw}
        </Button>
      </div>
    </li>
  )
}
