import type { EdgeJobPreview } from '@pult/sdk/api'
import { StateChip } from '@pult/sdk/ui'
import styles from './jobs.module.css'
import { texts } from './jobs.texts.ts'

/** Lists the edges that a job reaches now, those that it reaches later, and the skipped ones with the reason. */
export function Reach({ preview: { now, away, offLimits } }: { preview: EdgeJobPreview }) {
  return (
    <dl className={styles.reach}>
      <dt>
        <StateChip plain status="ok">
          {texts.stateCount(texts.reachNow, now.count)}
        </StateChip>
      </dt>
      <Names of={now} />
      <dt>
        <StateChip plain status="paused">
          {texts.stateCount(texts.reachLater, away.count)}
        </StateChip>
      </dt>
      <Names of={away} />
      {offLimits.map(({ obstacle, ...of }) => (
        <Obstacle key={obstacle} label={texts.obstacles[obstacle]} of={of} />
      ))}
    </dl>
  )
}

function Obstacle({ label, of }: { label: string; of: EdgeJobPreview['now'] }) {
  return (
    <>
      <dt>
        <StateChip plain status="warning">
          {texts.stateCount(`${texts.reachNot} · ${label}`, of.count)}
        </StateChip>
      </dt>
      <Names of={of} />
    </>
  )
}

function Names({ of: { count, edges } }: { of: EdgeJobPreview['now'] }) {
  if (edges.length === 0) return null
  const left = count - edges.length
  const names = edges.map(({ label }) => label).join(', ')
  return <dd className={styles.quiet}>{left > 0 ? `${names} ${texts.more(left)}` : names}</dd>
}
