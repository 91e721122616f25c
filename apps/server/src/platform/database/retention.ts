import { type RetentionPart, retentionDays } from '@pult/contract'
import { sql } from 'kysely'

/** The time for which records of a part are kept, as root has set it. Records of no installation are kept. */
export const keptFor = (part: RetentionPart) => sql<string>`(
  select make_interval(days => coalesce((retention ->> ${part}::text)::int, ${retentionDays[part].default}::int))
  from installation)`
