import { AppError } from '../app-error.ts'

interface Revised {
  revision: number
  updatedAt: string
  updatedBy: unknown
}

/**
 * Refuses a change that was made from another revision than the record has now, and says who changed it when. The
 * record was read after its row was locked, so that nobody changes it until this change is written.
 */
export function refuseStale(current: Revised, revision: number | undefined): void {
  if (revision === undefined || revision === current.revision) return
  const { updatedAt, updatedBy } = current
  throw new AppError('REVISION_CONFLICT', { data: { current, updatedAt, updatedBy } })
}
