import { AppError } from '../app-error.ts'

interface Revised {
  revision: number
  updatedAt: string
  updatedBy: unknown
}

/**
 * Rejects a change that is based on a revision other than the current one. The error contains the last editor and
 * time. The row must have been locked before it was read, so that it cannot change before this write.
 */
export function refuseStale(current: Revised, revision: number | undefined): void {
  if (revision === undefined || revision === current.revision) return
  const { updatedAt, updatedBy } = current
  throw new AppError('REVISION_CONFLICT', { data: { current, updatedAt, updatedBy } })
}

/** The last editor of a row, for a query that joins `person as changer`. */
export const changerColumns = [
  'changer.id as updatedById',
  'changer.firstname as updatedByFirstname',
  'changer.lastname as updatedByLastname',
] as const

/** The columns that every row with a revision has. */
export interface RevisedRow {
  created_at: Date
  revision: number
  updated_at: Date
  updatedById: string | null
  updatedByFirstname: string | null
  updatedByLastname: string | null
}

/** The fields of a record that name its revision, its times and its last editor. */
export const revisedOf = (row: RevisedRow) => ({
  createdAt: row.created_at.toISOString(),
  revision: row.revision,
  updatedAt: row.updated_at.toISOString(),
  updatedBy:
    row.updatedById === null
      ? null
      : {
          _id: row.updatedById,
          firstname: row.updatedByFirstname ?? '',
          lastname: row.updatedByLastname ?? '',
        },
})
