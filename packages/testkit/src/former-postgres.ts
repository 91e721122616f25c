import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder of an installed package with PostgreSQL 16 or 17, which upgrades start from. */
export function formerPostgres(major: 16 | 17): string {
  const name = `postgres-${major}-${process.platform}-${process.arch}`
  return dirname(dirname(createRequire(import.meta.url).resolve(name)))
}
