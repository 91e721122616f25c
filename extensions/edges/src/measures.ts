import type { Edge } from '@pult/sdk/api'

/** Share of a disk from which the server counts it as nearly full. */
export const fullFrom = 0.9

/** Share from which a value needs attention. */
export const busyFrom = 0.75

/** Shares from 0 to 1 of an edge's reported values. */
export const loadShare = ({ report }: Edge) =>
  report === null || isUnknown(report, 'load') || isUnknown(report, 'cores')
    ? null
    : report.load[0] / report.cores

/** Whether the agent could not report a part, whose value then means nothing. */
export const isUnknown = ({ missing = {} }: NonNullable<Edge['report']>, part: string): boolean =>
  missing[part] !== undefined

export const usedShare = (space: { total: number; free: number } | null | undefined) =>
  space == null || space.total === 0 ? null : (space.total - space.free) / space.total

/** Returns the decimal places of a written value: one, or below 1 two digits, so that 0.05 does not read 0.1. */
export const digitsOf = (value: number): Intl.NumberFormatOptions =>
  Math.abs(value) < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 }

/** A span of time in milliseconds. */
export interface Span {
  from: number
  to: number
}

/** Returns the share of a range, from 0 to 1, outside the outages. The outages must not overlap. */
export function reachedShare({ from, to }: Span, away: readonly Span[]): number {
  if (to <= from) return 1
  const lost = away.map((span) => Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)))
  return 1 - lost.reduce((sum, each) => sum + each, 0) / (to - from)
}

export function inTime(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return `${Math.floor(seconds)} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
