import { sql } from 'kysely'

/** Orders the connections of an edge on all nodes. A sequence does not step back with a clock. */
export const nextConnection = sql<number>`nextval('edge_connection_number')`
