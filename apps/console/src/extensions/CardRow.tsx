import { AppCardFrame } from './AppCardFrame.tsx'
import styles from './AppCards.module.css'
import type { AppCard } from './cards.ts'
import { texts } from './extensions.texts.ts'

/** The cards of apps on a page, in their own order. */
export function CardRow({ cards, subject }: { cards: readonly AppCard[]; subject: string | null }) {
  return (
    <section className={styles.cards} aria-label={texts.cards}>
      <div className={styles.grid}>
        {cards.map(({ key, app, card }) => (
          <AppCardFrame key={key} app={app} card={card} subject={subject} />
        ))}
      </div>
    </section>
  )
}
