import type { Metric, Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

/** One series of a histogram. `counts` has a number for each bound, and one more for the values above all of them. */
export interface HistogramRow {
  labels: Labels
  counts: readonly number[]
  sum: number
}

/** Collects the values of one scrape. All were counted before it or are read at its time, so that it changes none. */
export function createScrape({ Registry, Gauge, Counter }: typeof import('prom-client')) {
  const registry: Registry = new Registry()
  const registers = [registry]
  return {
    registry,

    /** Adds a gauge with one value and optional labels. */
    gauge(name: string, help: string, value: number, labels: Labels = {}): void {
      new Gauge({ name, help, registers, labelNames: Object.keys(labels) }).set({ ...labels }, value)
    },

    /** Adds a gauge with one value for each value of a label. */
    gauges(name: string, help: string, label: string, values: Readonly<Record<string, number>>): void {
      const made = new Gauge({ name, help, registers, labelNames: [label] })
      for (const [key, value] of Object.entries(values)) made.set({ [label]: key }, value)
    },

    /** Adds a total since the start of this node. */
    counter(name: string, help: string, total: number): void {
      new Counter({ name, help, registers }).inc(total)
    },

    /** Adds totals since the start of this node, one for each row. */
    counters(
      name: string,
      help: string,
      labelNames: string[],
      rows: readonly { labels: Labels; total: number }[],
    ): void {
      const made = new Counter({ name, help, registers, labelNames })
      for (const { labels, total } of rows) made.inc({ ...labels }, total)
    },

    /** Adds a histogram since the start of this node, with upper bounds in seconds. */
    histogram(name: string, help: string, bounds: readonly number[], rows: readonly HistogramRow[]): void {
      const values = rows.flatMap((row) => seriesOf(name, bounds, row))
      const type = 'histogram'
      // The library's own histogram cannot take over counts, and it is not loaded while they are collected.
      const counted = { name, help, type, get: async () => ({ name, help, type, values }) }
      registry.registerMetric(counted as unknown as Metric)
    },
  }
}
export type Scrape = ReturnType<typeof createScrape>

/** Returns the cumulative buckets, the sum and the count. */
function seriesOf(name: string, bounds: readonly number[], { labels, counts, sum }: HistogramRow) {
  let total = 0
  const buckets = [...bounds, '+Inf'].map((le, index) => {
    total += counts[index] ?? 0
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ]
}
