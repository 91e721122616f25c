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
import { writtenLocale } from '../text/page-locale.ts'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import styles from './Chart.module.css'
import { areaPath, linePath, rangeOf, runsOf, type Sample, ticksOf } from './chart-path.ts'
import type { ChartColor } from './Sparkline.tsx'

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
  /** Bounds of the axes. By default they are those of the samples, with 0 as the lowest value. */
  from?: number | undefined
  to?: number | undefined
  min?: number | undefined
  max?: number | undefined
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

const axis = { left: 44, bottom: 20, top: 8, right: 8 }
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
  const scale = useScale(props, width, height)
  const paths = useMemo(
    () =>
      series.map(({ values }) => {
        const runs = runsOf(times, values, scale, props.gapAfter)
        return { line: linePath(runs), area: areaPath(runs, height - axis.bottom) }
      }),
    [series, times, scale, props.gapAfter, height],
  )
  const { from, to } = scale
  const isLong = to - from > longRange
  const timeFormat = useMemo(() => timeFormatOf(locale, to - from), [locale, from, to])
  const chosen = cursor === null ? -1 : nearest(times, cursor)
  const time = times[chosen]
  const figures = series.map(({ label: name, values }) => {
    const value = values[chosen] ?? null
    return `${name} ${value === null ? '–' : format(value)}`
  })
  const text = time === undefined ? label : `${timeFormat.format(time)}: ${figures.join(', ')}`

  const point = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.left - axis.left) / (box.width - axis.left - axis.right)
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
        <svg className={styles.drawing} width={width} height={height} aria-hidden="true">
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
          {ticksOf(scale.low, scale.high, height < 120 ? 2 : 4).map((value) => (
            <g key={value}>
              <path className={styles.grid} d={`M${axis.left} ${scale.y(value)}H${width - axis.right}`} />
              <text className={styles.tick} x={axis.left - 8} y={scale.y(value) + 4} textAnchor="end">
                {format(value)}
              </text>
            </g>
          ))}
          {timeTicks(from, to, width).map((tick) => (
            <text key={tick} className={styles.tick} x={scale.x(tick)} y={height - 4} textAnchor="middle">
              {timeFormat.format(tick)}
            </text>
          ))}
          {outages.map((outage) => (
            <rect
              key={outage.from}
              fill={`url(#${hatch})`}
              x={scale.x(Math.max(from, outage.from))}
              y={axis.top}
              width={Math.max(2, scale.x(Math.min(to, outage.to)) - scale.x(Math.max(from, outage.from)))}
              height={height - axis.top - axis.bottom}
            />
          ))}
          {series.map(({ label: name, color }, index) => (
            <g key={name} data-color={color} data-dash={(isLong && index) || undefined}>
              {series.length === 1 && <path className={styles.area} d={paths[index]?.area} />}
              <path className={styles.line} d={paths[index]?.line} />
            </g>
          ))}
          {threshold !== undefined && (
            <path
              className={styles.threshold}
              d={`M${axis.left} ${scale.y(threshold)}H${width - axis.right}`}
            />
          )}
          {time !== undefined && (
            <>
              <path className={styles.cursor} d={`M${scale.x(time)} ${axis.top}V${height - axis.bottom}`} />
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
        <span className={styles.at}>{time === undefined ? '' : timeFormat.format(time)}</span>
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
        <Figures {...{ label, times, series, format, timeLabel }} write={(at) => timeFormat.format(at)} />
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

function useScale(
  { times, series, from: start, to: end, min, max, threshold }: ChartProps,
  width: number,
  height: number,
) {
  return useMemo(() => {
    const [from, to] = [start ?? times[0] ?? 0, end ?? times.at(-1) ?? 1]
    const [lowest, highest] = rangeOf(series.map(({ values }) => values)) ?? [0, 1]
    const low = min ?? Math.min(0, lowest)
    const top = max ?? Math.max(highest, threshold ?? highest)
    const high = top > low ? top : low + 1
    return {
      from,
      to,
      low,
      high,
      x: (time: number) => axis.left + ((time - from) / (to - from || 1)) * (width - axis.left - axis.right),
      y: (value: number) => axis.top + (1 - (value - low) / (high - low)) * (height - axis.top - axis.bottom),
    }
  }, [times, series, start, end, min, max, threshold, width, height])
}

function timeFormatOf(locale: string, range: number): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(
    writtenLocale(locale),
    range > dayRange
      ? { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  )
}

const distances = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080].map(
  (minutes) => minutes * 60_000,
)

/** Returns round instants of the viewer's time zone, as many as fit. */
function timeTicks(from: number, to: number, width: number): number[] {
  const room = to - from > dayRange ? 110 : 64
  const most = Math.max(1, Math.floor((width - axis.left) / room))
  const step = distances.find((distance) => (to - from) / distance <= most) ?? distances.at(-1) ?? to - from
  const zone = new Date(from).getTimezoneOffset() * 60_000
  const first = Math.ceil((from - zone) / step) * step + zone
  const ticks: number[] = []
  for (let tick = first; tick <= to && ticks.length < most + 1; tick += step) ticks.push(tick)
  // A label at the very edge would be cut off.
  const edge = ((to - from) * 20) / Math.max(1, width)
  return ticks.filter((tick) => to - tick > edge)
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
