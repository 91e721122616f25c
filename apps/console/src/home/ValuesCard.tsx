import type { edgeValueEndpoints, ReplyOf } from '@pult/contract'
import { type ChartColor, DataCard, Skeleton, Sparkline } from '@pult/ui'
import type { ReactNode } from 'react'
import { texts } from '#platform/desk/desk.texts.ts'
import { useCardState } from '#platform/desk/use-card-state.tsx'
import { useFleetValues, valuesReadEvery } from './home.queries.ts'
import styles from './ValuesCard.module.css'

const words = texts.home.values

type FleetValues = ReplyOf<typeof edgeValueEndpoints.fleet>
type Measure = FleetValues['measures'][number]

/** The colours of an edge's charts. */
const colors: Record<Measure['key'], ChartColor> = { load: 1, memory: 3, disk: 2 }

/** The values of the whole fleet, now and over a day, for users who may see its edges. */
export function ValuesCard({ projectId }: { projectId: string }) {
  const reading = useFleetValues(projectId)
  const { data: values, error } = reading
  const state = useCardState(reading, {
    usual: valuesReadEvery,
    skeleton: <Awaited />,
    failed: texts.home.partFailed,
    failedText: error?.message,
  })
  return (
    <DataCard title={words.title} detail={words.detail} state={state}>
      <div className={styles.rows}>
        {values?.measures.flatMap(({ key, median, highest, course }) =>
          median === null
            ? []
            : [
                <Row
                  key={key}
                  name={words.names[key]}
                  note={highest === null ? null : words.highest[key](highest)}
                  value={words.percent(median)}
                >
                  <Sparkline values={course} color={colors[key]} min={0} max={100} />
                </Row>,
              ],
        )}
        {values !== undefined && values.reachable !== null && (
          <Row
            name={words.reachable}
            note={values.outages === 0 ? null : words.outages(values.outages)}
            // Rounded down: an outage never reads as 100 %.
            value={words.percent(Math.floor(values.reachable * 1000) / 10)}
          />
        )}
      </div>
    </DataCard>
  )
}

interface RowProps {
  name: string
  note: string | null
  value: string
  children?: ReactNode
}

const Row = ({ name, note, value, children }: RowProps) => (
  <div className={styles.row}>
    <span className={styles.name}>
      <b>{name}</b>
      {note !== null && <span>{note}</span>}
    </span>
    <span>{children}</span>
    <span className={styles.value}>{value}</span>
  </div>
)

const Awaited = () => (
  <span className={styles.rows}>
    {['load', 'memory', 'disk', 'reachable'].map((name) => (
      <span key={name} className={styles.row}>
        <Skeleton width="70%" />
        <Skeleton width="100%" />
        <Skeleton width="60%" />
      </span>
    ))}
  </span>
)
