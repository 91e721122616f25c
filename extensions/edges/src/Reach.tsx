import { useFormat } from '@pult/sdk'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { reachedShare, type Span } from './measures.ts'

interface ReachProps extends Span {
  /** Start of the first value or outage of the range, in milliseconds. The state before it is unknown. */
  begin: number
  away: readonly Span[]
}

/** Shows the times when the edge was online in a range, as a bar and in words. Times are in milliseconds. */
export function Reach({ begin, from: first, to, away }: ReachProps) {
  const format = useFormat()
  const from = Math.max(first, begin)
  const last = away.at(-1)
  const placeOf = (span: Span) => {
    const [start, end] = [Math.max(first, span.from), Math.min(to, span.to)]
    return {
      insetInlineStart: `${(100 * (start - first)) / (to - first)}%`,
      inlineSize: `${(100 * (end - start)) / (to - first)}%`,
    }
  }
  return (
    <div className={styles.reach}>
      <div className={styles.reachBar} aria-hidden="true">
        <span style={placeOf({ from, to })} />
        {away.map((span) => (
          <span key={span.from} data-away="" style={placeOf(span)} />
        ))}
      </div>
      <p>
        <b>{texts.reachable(reachedShare({ from, to }, away))}</b>
        {last !== undefined && (
          <>
            {' · '}
            <span>
              {texts.outages(
                away.length,
                format.instant(new Date(last.from)),
                last.to >= to ? null : format.instant(new Date(last.to)),
              )}
            </span>
          </>
        )}
      </p>
    </div>
  )
}
