import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Returns the folder of an installed package with PostgreSQL 16 or 17, for tests of upgrades. */
export function formerPostgres(major: 16 | 17): string {
  const name = `postgres-${major}-${process.platform}-${process.arch}`
  return dirname(dirname(createRequire(import.meta.url).resolve(name)))
}
