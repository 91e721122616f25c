import { rootGrantEndpoints, rootPeopleEndpoints, rootSessionEndpoints } from '@pult/contract'
import { type GivenPerson, type Mailbox, openMailbox, type TestServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect } from 'vitest'

/** The withdrawals, in the order of the table's columns. The first one withdraws nothing. */
export const withdrawals = [
  'nothing withdrawn',
  'account disabled',
  'role lost',
  'project invisible',
  'account deleted',
  'signed out everywhere',
] as const
export type Withdrawal = (typeof withdrawals)[number]

export const on = 'continues'
export const stop = 'stops'
/** The withdrawal is impossible, as the account owns the project or has no other role, or it waits for the work. */
export const none = 'not possible'
type Cell = typeof on | typeof stop | typeof none

/** A role in the project; `root`, who may do everything; or `owner`, who owns the project. */
export type Role = 'root' | 'owner' | 'project/viewer' | 'edges/operator' | 'media-library/viewer'

/** A separate project, in which one person has begun work. */
export interface World {
  owner: GivenPerson
  /** The person who loses a right. */
  person: GivenPerson
  projectId: string
  grantIds: readonly string[]
  role: Role
}

/** Work that continues without a call of the person who began it. */
export interface Row {
  work: string
  role: Role
  expected: readonly [Cell, Cell, Cell, Cell, Cell, Cell]
  /** The reason for each cell that continues after a withdrawal of a right. */
  because?: string
  /** The name of the work in the server: the type of a task, the name of a job, or of a topic below a project. */
  names?: { task?: string; job?: string; topic?: string }
  /** The withdrawals run one after another, because the server does one such work at a time. */
  isSerial?: boolean
  /**
   * Begins the work up to the moment of the withdrawal. Returns a function that continues it and returns whether it had
   * its effect.
   */
  begin(world: World, stage: Stage): Promise<() => Promise<boolean>>
}

export interface Stage {
  server: TestServer
  mailbox: Mailbox
  root: GivenPerson
  /** Registers the clean-up of a test. */
  atEnd(end: () => void): void
  ends: (() => void)[]
}

export async function openStage(): Promise<Stage> {
  const mailbox = await openMailbox()
  const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
  const ends: (() => void)[] = []
  // Tasks wait until a row releases them, and some inserts wait while their project has a gate.
  await sql`
    create function hold_task() returns trigger language plpgsql as $$ begin
      -- Not longer than the longest pause: such a time counts as that of a wrong clock.
      new.retry_at := now() + interval '4 minutes';
      return new;
    end $$;
    create trigger hold_task before insert on task for each row execute function hold_task();
    create table gate (project_id uuid, of_table text);
    create function wait_at_gate() returns trigger language plpgsql as $$ declare of_project uuid; begin
      of_project := coalesce((to_jsonb(new) ->> 'project_id')::uuid,
        (select t.project_id from task t where t.id = (to_jsonb(new) ->> 'task_id')::uuid));
      while exists (select from gate g where g.project_id = of_project and g.of_table = tg_table_name) loop perform pg_sleep(0.02); end loop;
      return new;
    end $$;
    create trigger wait_at_gate before insert on file for each row execute function wait_at_gate();
    create trigger wait_at_gate before insert on project_grant for each row execute function wait_at_gate();
    create trigger wait_at_gate before insert on batch_invitation for each row execute function wait_at_gate()`.execute(
    server.db,
  )
  const root = await server.given.person({ isRoot: true })
  return { server, mailbox, root, ends, atEnd: (end) => void ends.push(end) }
}

export async function newWorld({ given }: TestServer, role: Role): Promise<World> {
  const person = await given.person({ firstname: 'Pia', isRoot: role === 'root' })
  const owner = role === 'owner' ? person : await given.person({ firstname: 'Olga' })
  const { projectId, grantIds } = await given.project(owner, {
    products: ['project', 'edges', 'media-library'],
    grants: [
      ...(role === 'owner' || role === 'root' || role === 'project/viewer'
        ? []
        : [{ person, productRole: role }]),
      { person, productRole: 'project/viewer' },
    ],
  })
  return { owner, person, projectId, grantIds, role }
}

/** Withdraws a right with the calls of root. */
export async function withdraw(stage: Stage, world: World, what: Withdrawal): Promise<void> {
  const { root, server } = stage
  const { person, projectId, grantIds, role } = world
  const params = { personId: person.personId }
  const update = async (body: { isRoot?: boolean; isDisabled?: boolean }) =>
    expect(await root.call(rootPeopleEndpoints.update, { params, body })).toSucceed()
  /** Keeps the last grant, which shows the project and gives no right to the work. */
  async function loseRole(): Promise<void> {
    if (role === 'root') return update({ isRoot: false })
    if (role === 'owner') {
      const heir = await server.given.person()
      await sql`update project set owner_id = ${heir.personId} where id = ${projectId}`.execute(server.db)
    } else await loseGrants(grantIds.slice(0, -1))
  }
  async function loseGrants(ids: readonly string[]): Promise<void> {
    for (const grantId of ids)
      expect(await root.call(rootGrantEndpoints.remove, { params: { projectId, grantId } })).toSucceed()
  }
  switch (what) {
    case 'nothing withdrawn':
      return
    case 'account disabled':
      return update({ isDisabled: true })
    case 'role lost':
      return loseRole()
    case 'project invisible':
      if (role === 'root' || role === 'owner') await loseRole()
      return loseGrants(grantIds)
    case 'account deleted':
      expect(await root.call(rootPeopleEndpoints.remove, { params })).toSucceed()
      return
    case 'signed out everywhere':
      expect(await root.call(rootSessionEndpoints.endAll, { params })).toSucceed()
  }
}
