import type { Migration } from 'kysely/migration'
import * as people from './0001-people.ts'
import * as projects from './0002-projects.ts'
import * as events from './0003-events.ts'
import * as account from './0004-account.ts'
import * as organisations from './0005-organisations.ts'
import * as extensions from './0006-extensions.ts'
import * as listIndexes from './0007-list-indexes.ts'

/** In the order of their names. A landed migration is never edited; the next one mends it. */
export const migrations: Record<string, Migration> = {
  '0001-people': people,
  '0002-projects': projects,
  '0003-events': events,
  '0004-account': account,
  '0005-organisations': organisations,
  '0006-extensions': extensions,
  '0007-list-indexes': listIndexes,
}
