import '../styles/desk.css'
import styles from './Chart.module.css'
import { areaPath, dotPath, linePath, rangeOf, runsOf, type Sample } from './chart-path.ts'

/** Colour of the series: 1 load, 2 disk, 3 memory, 4 any other measure, 5 reachability and counts. */
export type ChartColor = 1 | 2 | 3 | 4 | 5

export interface SparklineProps {
  /** Samples at equal intervals, oldest first. Fewer than three draw nothing. */
  values: readonly Sample[]
  /** Accessible name with the figures: "Load, 24 h: 12 % to 78 %, now 34 %". Omit it if text beside it has them. */
  label?: string | undefined
  color?: ChartColor | undefined
  /** Values that the axis reaches at least; it always reaches the lowest and the highest one. */
  min?: number | undefined
  max?: number | undefined
}

const [width, height] = [120, 28]
const inset = 3

/** Draws a value over time without axes, for a row or a tile. It fills its container and keeps gaps. */
export function Sparkline({ values, label, color = 1, min, max }: SparklineProps) {
  if (values.filter((value) => value !== null).length < 3) return null
  const [lowest, highest] = rangeOf([values]) ?? [0, 1]
  const [low, high] = [Math.min(min ?? lowest, lowest), Math.max(max ?? highest, highest)]
  const span = high - low || 1
  const runs = runsOf([...values.keys()], values, {
    x: (index) => (index / (values.length - 1)) * width,
    y: (value) => inset + (1 - (value - low) / span) * (height - 2 * inset),
  })
  return (
    <svg
      className={styles.sparkline}
      data-color={color}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path className={styles.area} d={areaPath(runs, height)} />
      <path className={styles.line} d={linePath(runs)} />
      <path className={styles.dots} d={dotPath(runs)} />
    </svg>
  )
}
