import { sql } from 'kysely'

/**
 * Whether the installation is in service. A backup that was restored at another address is a copy, for example on a test
 * machine: it sends no mail and acts on no machine in place of the original.
 */
export const isInService = sql<boolean>`coalesce((select not is_copy from installation), true)`
