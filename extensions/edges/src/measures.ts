import type { Edge } from '@pult/sdk/api'

/** Of what an edge reports, shares from 0 to 1. */
export const loadShare = ({ report }: Edge) => (report === null ? null : report.load[0] / report.cores)

export const usedShare = (space: { total: number; free: number } | null | undefined) =>
  space == null || space.total === 0 ? null : (space.total - space.free) / space.total

export function inTime(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return `${Math.floor(seconds)} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
