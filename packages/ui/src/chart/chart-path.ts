/** A sample; `null` interrupts the line. */
export type Sample = number | null

export interface Scale {
  /** Maps the instant and the value of a sample to pixels. */
  x: (time: number) => number
  y: (value: number) => number
}

/**
 * Returns the runs of consecutive samples as pixels. Several samples in one pixel column become its lowest and highest
 * value, so that no peak disappears and the path has at most two points a pixel.
 */
export function runsOf(
  times: readonly number[],
  values: readonly Sample[],
  { x, y }: Scale,
  gapAfter = Number.POSITIVE_INFINITY,
): [x: number, y: number][][] {
  const runs: [number, number][][] = []
  let run: [number, number][] | undefined
  let column = Number.NaN
  let last = Number.NaN
  values.forEach((value, index) => {
    const time = times[index]
    if (value === null || time === undefined) {
      run = undefined
      return
    }
    if (run === undefined || time - last > gapAfter) {
      run = []
      runs.push(run)
      column = Number.NaN
    }
    last = time
    const point: [number, number] = [x(time), y(value)]
    const pixel = Math.floor(point[0])
    if (pixel !== column) {
      column = pixel
      run.push(point)
      return
    }
    addWithin(run, point, pixel)
  })
  return runs
}

/** Reduces one pixel column to its extremes: at most two points. */
function addWithin(run: [number, number][], point: [number, number], pixel: number): void {
  const inColumn = run.slice(-2).filter(([x]) => Math.floor(x) === pixel)
  const points = [...inColumn, point].toSorted(([, one], [, other]) => one - other)
  const [low, high] = [points[0] ?? point, points.at(-1) ?? point]
  run.length -= inColumn.length
  run.push(...(low === high ? [low] : [low, high].toSorted(([one], [other]) => one - other)))
}

const write = (value: number) => Math.round(value * 10) / 10

/** Returns the SVG path of a line through the runs of several samples. */
export function linePath(runs: readonly (readonly [number, number])[][]): string {
  return runs
    .filter((run) => run.length > 1)
    .map((run) => `M${run.map(([x, y]) => `${write(x)} ${write(y)}`).join('L')}`)
    .join('')
}

/** Returns the SVG path of the samples between two gaps, which no line shows. The width of the stroke is their size. */
export function dotPath(runs: readonly (readonly [number, number])[][]): string {
  return runs
    .filter((run) => run.length === 1)
    .map(([[x, y] = [0, 0]]) => `M${write(x)} ${write(y)}h.01`)
    .join('')
}

/** Returns the SVG path of the areas between the runs and a base line. */
export function areaPath(runs: readonly (readonly [number, number])[][], base: number): string {
  return runs
    .filter((run) => run.length > 1)
    .map((run) => {
      const points = run.map(([x, y]) => `${write(x)} ${write(y)}`).join('L')
      return `M${write(run[0]?.[0] ?? 0)} ${base}L${points}L${write(run.at(-1)?.[0] ?? 0)} ${base}Z`
    })
    .join('')
}

/**
 * Returns about `count` round values between two bounds. Steps are quarters of a power of ten only if those are whole,
 * because labels have few decimal places: 0.25 would read 0.3.
 *
 * @param isWhole Set for counts of things, of which there are no parts.
 */
export function ticksOf(low: number, high: number, count: number, isWhole = false): number[] {
  const rough = Math.max((high - low) / Math.max(1, count), isWhole && high > low ? 1 : 0)
  if (!(rough > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const factors = power < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]
  const step = (factors.find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step)
}

/** Returns the lowest and highest value of several series, or `undefined` without a sample. */
export function rangeOf(series: readonly (readonly Sample[])[]): [low: number, high: number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const values of series) {
    for (const value of values) {
      if (value === null) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  }
  return low <= high ? [low, high] : undefined
}
