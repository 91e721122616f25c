import { AppLink } from '@pult/sdk'
import type { Edge } from '@pult/sdk/api'
import { type DataTableColumn, Elapsed, Sparkline, TimeAgo } from '@pult/sdk/ui'

import { useCourse } from './Courses.tsx'
import { EdgePresence } from './EdgePresence.tsx'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { fleetStateOf } from './fleet-state.ts'
import { Meter } from './Meter.tsx'
import { busyFrom, loadShare, usedShare } from './measures.ts'
import { TagList } from './TagList.tsx'

/** Shown only if an edge has decks. */
export const decksColumn = 'decks'
/** Shown only if an edge has tags. */
export const tagsColumn = 'tags'
/** Shown only if an edge has a place. */
export const placeColumn = 'place'

/** Columns that fit with the actions into 992 px: a window of 1,280 px without the sidebar. */
export const edgeColumns: DataTableColumn<Edge>[] = [
  {
    id: 'label',
    header: texts.name,
    kind: 'title',
    width: '1.6fr',
    minWidth: 110,
    sortBy: 'given',
    cell: (edge) => <Name edge={edge} />,
  },
  {
    id: 'state',
    header: texts.state,
    width: '1.3fr',
    minWidth: 132,
    sortBy: 'given',
    cell: (edge) => <State edge={edge} />,
  },
  measuredColumn('load', loadShare),
  measuredColumn('memory', ({ report }) => usedShare(report?.memory)),
  measuredColumn('disk', ({ report }) => usedShare(report?.disk)),
  { id: 'programs', header: texts.programs, kind: 'number', width: 86, cell: programsOf },
  { id: tagsColumn, header: texts.tags, width: 110, minWidth: 90, cell: ({ tags }) => <Tags tags={tags} /> },
  {
    id: decksColumn,
    header: texts.decksShort,
    kind: 'number',
    width: 60,
    minWidth: 60,
    cell: ({ report }) => report?.decks?.devices.length || texts.noValue,
  },
  {
    id: 'version',
    header: texts.agent,
    width: 60,
    minWidth: 60,
    sortBy: 'given',
    cell: ({ version }) => version ?? texts.noValue,
  },
  {
    id: placeColumn,
    header: texts.place,
    width: 104,
    minWidth: 90,
    sortBy: 'given',
    cell: ({ place }) => (place === null ? texts.noValue : <Place place={place} />),
  },
  {
    id: 'seen',
    header: texts.lastSeen,
    kind: 'number',
    width: 112,
    sortBy: 'given',
    sortsFirst: 'descending',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? texts.never : <TimeAgo at={lastSeenAt} />),
  },
]

function Name({ edge: { _id, label, report } }: { edge: Edge }) {
  return (
    <span className={styles.name}>
      <AppLink to={`edit/${_id}`}>{label}</AppLink>
      {report !== null && report.hostname !== '' && <span className={styles.host}>{report.hostname}</span>}
    </span>
  )
}

/** Shows the first tag and the number of the others on one line. */
function Tags({ tags }: Pick<Edge, 'tags'>) {
  const [first, ...others] = tags
  if (first === undefined) return texts.noValue
  return (
    <span className={styles.cellTags} title={tags.join(', ')}>
      <TagList tags={[first]} />
      {others.length > 0 && <span className={styles.quiet}>{`+${others.length}`}</span>}
    </span>
  )
}

const Place = ({ place }: { place: string }) => (
  <span className={styles.cut} title={place}>
    {place}
  </span>
)

function State({ edge }: { edge: Edge }) {
  return (
    <span className={styles.state}>
      <EdgePresence edge={edge} />
      {fleetStateOf(edge) === 'offline' && edge.offlineSince !== null && (
        <span className={styles.quiet}>
          <Elapsed since={edge.offlineSince} />
        </span>
      )}
    </span>
  )
}

/** Shows a value. An edge that is not online shows the value of its last report. */
function measuredColumn(
  id: 'load' | 'memory' | 'disk',
  shareOf: (edge: Edge) => number | null,
): DataTableColumn<Edge> {
  return {
    id,
    header: id === 'disk' ? texts.valueShort.disk : texts.overADay[id],
    minWidth: 102,
    sortBy: 'given',
    sortsFirst: 'descending',
    cell: (edge) =>
      id === 'disk' ? (
        <Measured edge={edge} what={texts.disk} share={shareOf(edge)} />
      ) : (
        <OverADay edge={edge} id={id} share={shareOf(edge)} />
      ),
  }
}

function Measured({ edge, what, share }: { edge: Edge; what: string; share: number | null }) {
  if (share === null) return texts.noValue
  return (
    <span className={styles.measured} data-stale={edge.state !== 'online' || undefined}>
      <Meter label={`${what}: ${edge.label}`} share={share} />
    </span>
  )
}

/** Shows the last 24 hours before the current value. A new edge has only the value. */
function OverADay({ edge, id, share }: { edge: Edge; id: 'load' | 'memory'; share: number | null }) {
  const course = useCourse(edge._id, id)
  const known = course?.filter((value) => value !== null) ?? []
  if (share === null || course === undefined || known.length < fewestPoints)
    return <Measured edge={edge} what={texts[id]} share={share} />
  return (
    <span className={styles.measured} data-stale={edge.state !== 'online' || undefined}>
      <span className={styles.meter}>
        <span className={styles.course}>
          <Sparkline
            label={texts.course(Math.min(...known), Math.max(...known))}
            values={course}
            color={share >= busyFrom ? 2 : courseColors[id]}
            min={0}
            max={100}
          />
        </span>
        <span className={styles.meterText}>{texts.share(share)}</span>
      </span>
    </span>
  )
}

/** Colours of the series, as in the charts of an edge. */
const courseColors = { load: 1, memory: 3 } as const

/** A sparkline of fewer points draws nothing. */
const fewestPoints = 3

function programsOf({ instances }: Edge) {
  if (instances.length === 0) return texts.noValue
  const running = instances.filter(({ state }) => state === 'running').length
  const isShort = instances.some(({ state }) => state === 'stopped')
  return (
    <span
      data-short={isShort || undefined}
      className={styles.programs}
    >{`${running}/${instances.length}`}</span>
  )
}

/** Row of an edge on a phone: its name and state, then its values and tags. */
export function NarrowEdge({ edge }: { edge: Edge }) {
  const shares = [
    ['load', loadShare(edge)],
    ['memory', usedShare(edge.report?.memory)],
    ['disk', usedShare(edge.report?.disk)],
  ] as const
  return (
    <span className={styles.narrow}>
      <span className={styles.narrowHead}>
        <AppLink to={`edit/${edge._id}`}>{edge.label}</AppLink>
        <EdgePresence edge={edge} />
      </span>
      {edge.report !== null && (
        <span className={styles.narrowValues} data-stale={edge.state !== 'online' || undefined}>
          {shares.map(([id, share]) => (
            <Meter
              key={id}
              label={`${texts[id]}: ${edge.label}`}
              share={share}
              text={`${texts.valueShort[id]} ${share === null ? '' : texts.share(share)}`}
            />
          ))}
        </span>
      )}
      {edge.tags.length > 0 && <Tags tags={edge.tags} />}
    </span>
  )
}
