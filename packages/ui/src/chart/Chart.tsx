import '../styles/desk.css'
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'
import { textScale } from '../text/text-scale.ts'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import { formatDayAndMinute, formatDayOfMonth, formatMinute, withOffset } from '../time/format-instant.ts'
import styles from './Chart.module.css'
import { areaPath, dotPath, linePath, rangeOf, runsOf, type Sample, ticksOf } from './chart-path.ts'
import type { ChartColor } from './Sparkline.tsx'
import { timeTicks } from './time-ticks.ts'

export interface ChartSeries {
  label: string
  /** One sample for each instant of the chart. */
  values: readonly Sample[]
  color: ChartColor
}

export interface ChartProps {
  /** Accessible name: "Load of Portalkran 4, 24 h". */
  label: string
  /** Instants of the samples in epoch milliseconds, ascending. */
  times: readonly number[]
  /** At most five. */
  series: readonly ChartSeries[]
  /** Formats a value with its unit: `34 %`. */
  format: (value: number) => string
  /** Header of the time column in the figures for screen readers. */
  timeLabel: string
  /** Bounds of the time axis. By default they are the first and the last instant. */
  from?: number | undefined
  to?: number | undefined
  /** Values that the axis reaches at least; 0 and the highest sample by default. It always reaches every sample. */
  min?: number | undefined
  max?: number | undefined
  /** Set for counts of things: the axis then has only whole numbers. */
  whole?: boolean | undefined
  /** Periods without a connection, hatched. */
  outages?: readonly { from: number; to: number }[] | undefined
  /** A dashed line, such as a limit. */
  threshold?: number | undefined
  /** Longest pause between two samples, in milliseconds, that is not a gap. */
  gapAfter?: number | undefined
  /** Height in pixels; 160 by default. */
  height?: number | undefined
  /** The instant under the cursor, for charts that share a cursor. Without it the chart manages its cursor itself. */
  cursor?: number | null | undefined
  onCursor?: ((time: number | null) => void) | undefined
}

/** Space around the lines in pixels at the usual font size. On the left it is the least. */
const space = { left: 44, bottom: 20, top: 8, right: 8 }
/** Pixels that a character of a tick needs, and those that a label of the time axis needs. */
const characterWidth = 7
const labelWidths = { day: 48, time: 64, dayAndTime: 110 }
/** Labels of days that fit into every chart. */
const fewestDays = 3
const longRange = 12 * 3_600_000
const dayRange = 26 * 3_600_000
/** Rows of the figures for screen readers. */
const figuresShown = 24
const firstWidth = 480

/**
 * Draws values over time. The pointer and the arrow keys show the figures of an instant; screen readers get a table.
 */
export function Chart(props: ChartProps) {
  const { label, times, series, format, timeLabel, outages = [], threshold, height = 160 } = props
  const { locale = 'de' } = useUiEnvironment()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const hatch = useId()
  const [own, setOwn] = useState<number | null>(null)
  const cursor = props.cursor === undefined ? own : props.cursor
  const moveTo = (time: number | null) => {
    setOwn(time)
    props.onCursor?.(time)
  }
  const [size] = useState(textScale)
  const bounds = useBounds(props)
  const { from, to, low, high } = bounds
  const ticks = ticksOf(low, high, height < 120 ? 2 : 4, props.whole).map((value) => ({
    value,
    label: format(value),
  }))
  const longest = Math.max(0, ...ticks.map(({ label: { length } }) => length))
  const left = size * Math.max(space.left, characterWidth * longest + 12)
  const scale = useMemo(
    () => scaleOf(bounds, { left, width, height, size }),
    [bounds, left, width, height, size],
  )
  const { right, bottom } = scale
  const paths = useMemo(
    () =>
      series.map(({ values }) => {
        const runs = runsOf(times, values, scale, props.gapAfter)
        return { line: linePath(runs), dots: dotPath(runs), area: areaPath(runs, bottom) }
      }),
    [series, times, scale, props.gapAfter, bottom],
  )
  const isLong = to - from > longRange
  const isOverDays = to - from > dayRange
  const writeTick = (time: Date) => (isOverDays ? formatDayAndMinute : formatMinute)(time, locale)
  // Ticks have no room for an offset.
  const write = (time: number) => withOffset(new Date(time), writeTick, locale)
  const labelWidth = (areDays: boolean) =>
    size * (areDays ? labelWidths.day : isOverDays ? labelWidths.dayAndTime : labelWidths.time)
  const timeAxis = timeTicks(from, to, (areDays) =>
    Math.max(areDays ? fewestDays : 1, Math.floor((right - left) / labelWidth(areDays))),
  )
  const chosen = cursor === null ? -1 : nearest(times, cursor)
  const time = times[chosen]
  const figures = series.map(({ label: name, values }) => {
    const value = values[chosen] ?? null
    return `${name} ${value === null ? '–' : format(value)}`
  })
  const text = time === undefined ? label : `${write(time)}: ${figures.join(', ')}`

  const point = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.left - left) / (right - left)
    moveTo(from + Math.max(0, Math.min(1, share)) * (to - from))
  }
  const press = (event: KeyboardEvent) => {
    const last = times.length - 1
    const next = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: last }[event.key]
    if (event.key === 'Escape') moveTo(null)
    if (next === undefined || last < 0) return
    event.preventDefault()
    moveTo(times[chosen === -1 ? last : Math.max(0, Math.min(last, next))] ?? null)
  }

  return (
    <figure className={styles.chart}>
      <div
        ref={frame}
        className={styles.plot}
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={Math.max(0, chosen)}
        aria-valuetext={text}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => moveTo(null)}
        onBlur={() => moveTo(null)}
        onKeyDown={press}
      >
        <svg
          className={styles.drawing}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          aria-hidden="true"
        >
          <defs>
            <pattern
              id={hatch}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <path className={styles.hatching} d="M0 0v6" />
            </pattern>
          </defs>
          {ticks.map(({ value, label: tick }) => (
            <g key={value}>
              <path className={styles.grid} d={`M${left} ${scale.y(value)}H${right}`} />
              <text className={styles.tick} x={left - 8} y={scale.y(value) + 4 * size} textAnchor="end">
                {tick}
              </text>
            </g>
          ))}
          {timeAxis.times.map(
            (tick) =>
              // A label at the very edge would be cut off.
              right - scale.x(tick) > labelWidth(timeAxis.areDays) / 3 && (
                <text key={tick} className={styles.tick} x={scale.x(tick)} y={height - 4} textAnchor="middle">
                  {timeAxis.areDays ? formatDayOfMonth(new Date(tick), locale) : writeTick(new Date(tick))}
                </text>
              ),
          )}
          {outages.map((outage) => (
            <rect
              key={outage.from}
              fill={`url(#${hatch})`}
              x={scale.x(Math.max(from, outage.from))}
              y={space.top}
              width={Math.max(2, scale.x(Math.min(to, outage.to)) - scale.x(Math.max(from, outage.from)))}
              height={bottom - space.top}
            />
          ))}
          {series.map(({ label: name, color }, index) => (
            <g key={name} data-color={color} data-dash={(isLong && index) || undefined}>
              {series.length === 1 && <path className={styles.area} d={paths[index]?.area} />}
              <path className={styles.line} d={paths[index]?.line} />
              <path className={styles.dots} d={paths[index]?.dots} />
            </g>
          ))}
          {threshold !== undefined && (
            <path className={styles.threshold} d={`M${left} ${scale.y(threshold)}H${right}`} />
          )}
          {time !== undefined && (
            <>
              <path className={styles.cursor} d={`M${scale.x(time)} ${space.top}V${bottom}`} />
              {series.map(({ label: name, values, color }) => {
                const value = values[chosen] ?? null
                return (
                  value !== null && (
                    <circle
                      key={name}
                      className={styles.dot}
                      data-color={color}
                      cx={scale.x(time)}
                      cy={scale.y(value)}
                      r="3.5"
                    />
                  )
                )
              })}
            </>
          )}
        </svg>
      </div>
      <figcaption className={styles.caption} aria-hidden="true">
        <span className={styles.at}>{time === undefined ? '' : write(time)}</span>
        {series.map(({ label: name, values, color }, index) => {
          const value =
            (time === undefined ? values.findLast((sample) => sample !== null) : values[chosen]) ?? null
          return (
            <span
              key={name}
              className={styles.key}
              data-color={color}
              data-dash={(isLong && index) || undefined}
            >
              <svg className={styles.sample} viewBox="0 0 18 6">
                <path className={styles.line} d="M0 3h18" />
              </svg>
              {name}
              <strong>{value === null ? '–' : format(value)}</strong>
            </span>
          )
        })}
      </figcaption>
      <VisuallyHidden>
        <Figures {...{ label, times, series, format, timeLabel, write }} />
      </VisuallyHidden>
    </figure>
  )
}

interface FiguresProps extends Pick<ChartProps, 'label' | 'times' | 'series' | 'format' | 'timeLabel'> {
  write: (time: number) => string
}

/** Renders the figures as a table, in at most {@link figuresShown} rows at equal distances. */
function Figures({ label, times, series, format, timeLabel, write }: FiguresProps) {
  const step = Math.max(1, Math.ceil(times.length / figuresShown))
  return (
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{timeLabel}</th>
          {series.map(({ label: name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((time, index) =>
          index % step === 0 ? (
            <tr key={time}>
              <th scope="row">{write(time)}</th>
              {series.map(({ label: name, values }) => {
                const value = values[index] ?? null
                return <td key={name}>{value === null ? '–' : format(value)}</td>
              })}
            </tr>
          ) : null,
        )}
      </tbody>
    </table>
  )
}

/** Returns all figures of a chart as tab-separated text, for a CopyButton. Times are ISO 8601. */
export function chartFigures(
  timeLabel: string,
  times: readonly number[],
  series: readonly Pick<ChartSeries, 'label' | 'values'>[],
): string {
  const rows = times.map((time, index) => [
    new Date(time).toISOString(),
    ...series.map(({ values }) => values[index] ?? ''),
  ])
  return [[timeLabel, ...series.map(({ label }) => label)], ...rows].map((row) => row.join('\t')).join('\n')
}

/** Returns the bounds of the axes. Every sample lies within them, also a load of more than 100 %. */
function useBounds({ times, series, from: start, to: end, min, max, threshold }: ChartProps) {
  return useMemo(() => {
    const [from, to] = [start ?? times[0] ?? 0, end ?? times.at(-1) ?? 1]
    const [lowest, highest] = rangeOf(series.map(({ values }) => values)) ?? [min ?? 0, max ?? 1]
    const low = Math.min(min ?? 0, lowest)
    const top = Math.max(max ?? highest, highest, threshold ?? highest)
    return { from, to, low, high: top > low ? top : low + 1 }
  }, [times, series, start, end, min, max, threshold])
}

function scaleOf(
  { from, to, low, high }: ReturnType<typeof useBounds>,
  { left, width, height, size }: { left: number; width: number; height: number; size: number },
) {
  const [right, bottom] = [width - space.right, height - space.bottom * size]
  return {
    right,
    bottom,
    x: (time: number) => left + ((time - from) / (to - from || 1)) * (right - left),
    y: (value: number) => space.top + (1 - (value - low) / (high - low)) * (bottom - space.top),
  }
}

/** Returns the index of the sample nearest to an instant, or -1 without samples. */
function nearest(times: readonly number[], instant: number): number {
  let [low, high] = [0, times.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < instant) low = middle
    else high = middle
  }
  const [one, other] = [times[low], times[high]]
  if (one === undefined || other === undefined) return -1
  return instant - one <= other - instant ? low : high
}

function useWidth(frame: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(firstWidth)
  useEffect(() => {
    if (!frame.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [frame])
  return width
}
