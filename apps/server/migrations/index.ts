import type { Migration } from 'kysely/migration'
import * as people from './0001-people.ts'
import * as projects from './0002-projects.ts'
import * as events from './0003-events.ts'
import * as account from './0004-account.ts'
import * as organisations from './0005-organisations.ts'
import * as extensions from './0006-extensions.ts'
import * as listIndexes from './0007-list-indexes.ts'
import * as tasks from './0008-tasks.ts'
import * as files from './0009-files.ts'
import * as media from './0010-media.ts'
import * as settings from './0011-settings.ts'
import * as edges from './0012-edges.ts'
import * as edgeConnections from './0013-edge-connections.ts'
import * as taskLists from './0014-task-lists.ts'

/** In the order of their names. A landed migration is never edited; the next one mends it. */
export const migrations: Record<string, Migration> = {
  '0001-people': people,
  '0002-projects': projects,
  '0003-events': events,
  '0004-account': account,
  '0005-organisations': organisations,
  '0006-extensions': extensions,
  '0007-list-indexes': listIndexes,
  '0008-tasks': tasks,
  '0009-files': files,
  '0010-media': media,
  '0011-settings': settings,
  '0012-edges': edges,
  '0013-edge-connections': edgeConnections,
  '0014-task-lists': taskLists,
}
