import type { TaskSort } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { idAfter, type PageQuery, unknownPage } from '#platform/database/page.ts'

/** An order of tasks `t` other than newest first. */
interface TaskOrder {
  /** The numbers that order a task, ascending, before its id. They change only with its state. */
  value: RawBuilder<unknown>
  orderBy: RawBuilder<unknown>
  /** The tasks after those of the previous page. */
  isAfter: RawBuilder<boolean>
}

const seconds = (at: RawBuilder<unknown>) => sql`extract(epoch from ${at})::float8`

const values: Record<Exclude<TaskSort, 'newest'>, RawBuilder<unknown>> = {
  // Running tasks by start, then queued tasks, then ended tasks by duration.
  longest: sql`case
    when t.fulfilled_at is null and t.started_at is not null then array[0, ${seconds(sql`t.started_at`)}]
    when t.fulfilled_at is null then array[1, ${seconds(sql`t.created_at`)}]
    else array[2, -coalesce(${seconds(sql`t.fulfilled_at - t.started_at`)}, 0)] end::float8[]`,
  state: sql`array[array_position(array['running', 'queued', 'rejected', 'timed-out', 'aborted', 'finished'], t.state)]::float8[]`,
}

/** Returns the order of a list; undefined for newest first. */
export function taskOrder({ sort = 'newest', after }: PageQuery & { sort?: TaskSort | undefined }) {
  if (sort === 'newest') return undefined
  const value = values[sort]
  return {
    value,
    orderBy: sql`${value}, t.id desc`,
    isAfter: after === undefined ? sql<boolean>`true` : beyond(after, value),
  } satisfies TaskOrder
}

/** Returns the key of a page: the id and the value of its last task. */
export const keyOfTask = ({ id, sortValue }: { id: string; sortValue: string }) => `${id}${sortValue}`

function beyond(after: string, value: RawBuilder<unknown>): RawBuilder<boolean> {
  const id = idAfter({ after: after.slice(0, 36) })
  const [, numbers = ''] = /^\{([\d.,e+-]+)\}$/.exec(after.slice(36)) ?? []
  const parts = numbers.split(',')
  if (parts.some((part) => part === '' || Number.isNaN(Number(part)))) throw unknownPage()
  // As numbers, because PostgreSQL rejects texts that JavaScript accepts, such as 1e999.
  const last = sql`${parts.map(Number)}::float8[]`
  return sql<boolean>`(${value} > ${last} or ${value} = ${last} and t.id < ${id}::uuid)`
}
