import { type RetentionPart, retentionDays } from '@pult/contract'
import { sql } from 'kysely'

/**
 * The time for which records of a part are kept, as root has set it. Before the set-up it is null: nothing is deleted.
 */
export const keptFor = (part: RetentionPart) => sql<string>`(
  select make_interval(days => coalesce((retention ->> ${part}::text)::int, ${retentionDays[part].default}::int))
  from installation)`
