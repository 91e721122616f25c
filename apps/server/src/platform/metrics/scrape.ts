import type { Registry } from 'prom-client'

/** Collects the values of one scrape, which are read at its time. */
export function createScrape({ Registry, Gauge, Counter }: typeof import('prom-client')) {
  const registry: Registry = new Registry()
  const registers = [registry]
  return {
    registry,

    /** Adds a gauge with one value and optional labels. */
    gauge(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): void {
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

    /** Adds a total since the start of this node for each value of a label. */
    counters(name: string, help: string, label: string, totals: Readonly<Record<string, number>>): void {
      const made = new Counter({ name, help, registers, labelNames: [label] })
      for (const [key, total] of Object.entries(totals)) made.inc({ [label]: key }, total)
    },
  }
}
export type Scrape = ReturnType<typeof createScrape>
