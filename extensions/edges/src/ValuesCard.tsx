import { useDownload, useNotify, useProject, useRun } from '@pult/sdk'
import { type Edge, edgeValueEndpoints } from '@pult/sdk/api'
import { Loaded, NotUnderstoodNote } from '@pult/sdk/resource'
import { Button, Card, Chart, type ChartColor, SegmentedControl } from '@pult/sdk/ui'
import Download from 'lucide-react/icons/download'
import { useMemo, useState } from 'react'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { Reach } from './Reach.tsx'
import {
  type EdgeRange,
  type EdgeValues,
  edgeRanges,
  rangeQuery,
  useEdgeRange,
  useEdgeValues,
} from './values.queries.ts'

/** Load, memory, disk, programs and the edge's own values over time. All charts share one cursor. */
export function ValuesCard({ edge }: { edge: Edge }) {
  const [range, setRange, notUnderstood] = useEdgeRange()
  const values = useEdgeValues(edge._id, range)
  if (notUnderstood.parameters.length > 0)
    return (
      <Card title={texts.values}>
        <NotUnderstoodNote {...notUnderstood} />
      </Card>
    )
  return (
    <Card title={texts.values}>
      <div className={styles.valueActions}>
        <SegmentedControl
          label={texts.range}
          segments={Object.keys(edgeRanges).map((value) => ({
            value: value as EdgeRange,
            label: texts.ranges[value as EdgeRange],
          }))}
          value={range}
          onChange={setRange}
        />
        <SaveButton edge={edge} range={range} />
      </div>
      <div className={values.data === undefined ? styles.chartsAwaited : undefined}>
        <Loaded query={values} failed={texts.valuesFailed}>
          {(read) =>
            read.series.length === 0 ? (
              <p className={styles.quiet}>{texts.noValues}</p>
            ) : (
              <Charts label={edge.label} range={range} values={read} />
            )
          }
        </Loaded>
      </div>
    </Card>
  )
}

function SaveButton({ edge, range }: { edge: Edge; range: EdgeRange }) {
  const { _id: projectId } = useProject()
  const download = useDownload()
  const notify = useNotify()
  const save = useRun(
    () =>
      download(edgeValueEndpoints.export, {
        params: { projectId, edgeId: edge._id },
        query: rangeQuery(range),
      }),
    { onError: (error) => notify({ title: texts.csvFailed, error }) },
  )
  return (
    <Button icon={<Download />} pending={save.isPending} onClick={() => save.mutate()}>
      {texts.saveCsv}
    </Button>
  )
}

const measures: Readonly<Record<string, { name: string; color: ChartColor }>> = {
  load: { name: texts.load, color: 1 },
  memory: { name: texts.memory, color: 3 },
  disk: { name: texts.disk, color: 2 },
  programs: { name: texts.programsRunning, color: 5 },
}
const order = Object.keys(measures)

/** Percentage from which a disk counts as nearly full. */
const diskLimit = 90

function Charts({ label, range, values }: { label: string; range: EdgeRange; values: EdgeValues }) {
  const [cursor, setCursor] = useState<number | null>(null)
  const { width, outages } = values
  const from = Date.parse(values.from)
  const to = Date.parse(values.to)
  const count = values.series[0]?.avg.length ?? 0
  const times = useMemo(
    () => Array.from({ length: count }, (_, place) => from + place * width * 1000),
    [from, width, count],
  )
  const away = outages.map((outage) => ({
    from: Date.parse(outage.from),
    to: outage.to === null ? to : Date.parse(outage.to),
  }))
  const place = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
  const series = values.series.toSorted((one, other) => place(one.key) - place(other.key))
  const firstPoint = times.findIndex((_, point) => series.some(({ avg }) => avg[point] != null))
  const begin = Math.min(times[firstPoint] ?? to, away[0]?.from ?? to)
  return (
    <>
      <div className={styles.charts}>
        {series.map(({ key, unit, avg }) => {
          const { name, color } = measures[key] ?? { name: key, color: 4 as const }
          const isShare = unit === '%'
          return (
            <Chart
              key={key}
              label={texts.chartOf(name, label, texts.ranges[range])}
              times={times}
              series={[{ label: name, values: avg, color }]}
              format={(value) => texts.valueOf(value, unit)}
              timeLabel={texts.time}
              from={from}
              to={to}
              max={isShare ? 100 : undefined}
              whole={key === 'programs'}
              outages={away}
              threshold={key === 'disk' ? diskLimit : undefined}
              height={140}
              cursor={cursor}
              onCursor={setCursor}
            />
          )
        })}
      </div>
      <Reach begin={begin} from={from} to={to} away={away} />
    </>
  )
}
