import type { EdgeReport, FleetState } from '@pult/contract'
import type { GivenPerson, TestServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'

interface EdgeInput {
  label: string
  state?: FleetState
  /** Minutes since it went offline. */
  minutes?: number
}

const report: EdgeReport = {
  hostname: 'edge-1',
  platform: 'linux x64',
  load: [0.4, 0.3, 0.2],
  cores: 4,
  memory: { total: 8e9, free: 4e9 },
  disk: { total: 64e9, free: 48e9 },
  addresses: [],
  uptime: 3600,
  agentUptime: 60,
  decks: { driver: 'missing', reason: 'not installed', devices: [] },
  instances: [],
}

interface TaskInput {
  title: string
  by: GivenPerson
  /** Minutes since it failed. */
  minutes?: number
}

/** Inserts edges and tasks that home shows after its next load. They cause no events. */
export function givenDesk({ db, given }: Pick<TestServer, 'db' | 'given'>) {
  return {
    edge: (projectId: string, { label, state = 'offline', minutes = 5 }: EdgeInput): Promise<string> =>
      given.edge(projectId, { label, report, state, ...(state === 'offline' && { offlineFor: minutes }) }),

    async failedTask(projectId: string, { title, by, minutes = 28 }: TaskInput): Promise<string> {
      const id = uuidv7()
      await sql`
        insert into task (id, project_id, type, kind, title, state, error, created_by, lease_for, deadline_at, fulfilled_at)
        values (${id}, ${projectId}, 'shows/import', 'info', ${title}, 'rejected', 'Row 18 is empty', ${by.personId},
          interval '1 minute', now(), now() - make_interval(mins => ${minutes}))`.execute(db)
      await sql`insert into task_log (task_id, at, line) values (${id}, now(), 'Reading row 18')`.execute(db)
      return id
    },

    /** A failed export, which can be retried. */
    async failedExport(projectId: string, { title, by }: TaskInput): Promise<void> {
      await sql`
        insert into task (id, project_id, type, kind, title, state, payload, created_by, lease_for, deadline_at, fulfilled_at, retry_until)
        values (${uuidv7()}, ${projectId}, 'project-export', 'download-generation', ${title}, 'timed-out', '{"without": []}',
          ${by.personId}, interval '1 minute', now(), now(), now() + interval '1 hour')`.execute(db)
    },

    async runningTask(projectId: string, { title, by }: TaskInput): Promise<void> {
      await sql`
        insert into task (id, project_id, type, kind, title, state, progress_done, progress_total, created_by, lease_for,
          started_at, deadline_at)
        values (${uuidv7()}, ${projectId}, 'shows/import', 'info', ${title}, 'running', 62, 100, ${by.personId},
          interval '1 hour', now(), now() + interval '1 hour')`.execute(db)
    },
  }
}
