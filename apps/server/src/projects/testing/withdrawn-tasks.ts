import { mediaEndpoints, projectTaskEndpoints, type Task, taskEndpoints } from '@pult/contract'
import { type GivenPerson, upload } from '@pult/testkit'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { announceQueued } from '../../tasks/task-engine.ts'
import { none, on, type Row, type Stage, stop, type World } from './withdrawn-rights.ts'

const sound = Buffer.concat([
  Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
  Buffer.from([0xff, 0xfb, 0x90, 0x64]),
  Buffer.alloc(1500),
])

/** Orders a task for the person, as the room of its type does. */
export const ordered = async (
  { server: { app } }: Stage,
  { projectId, person }: World,
  type: string,
  payload: object,
): Promise<string> =>
  (
    await app.events.transaction((trx, emit) =>
      app.tasks.start(trx, emit, { type, projectId, title: type, payload, createdBy: person.personId }),
    )
  )._id

export const release = ({ server: { app } }: Stage, taskId: string): Promise<void> =>
  app.events.transaction(async (trx, emit) => {
    await sql`update task set retry_at = null where id = ${taskId}`.execute(trx)
    await announceQueued(emit)
  })

export async function stateOf({ server: { db } }: Stage, taskId: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`select state from task where id = ${taskId}`.execute(db)
  return rows[0]?.state ?? 'gone'
}

/** Waits until a task has ended. Returns whether it has finished. */
async function isFinished(stage: Stage, taskId: string): Promise<boolean> {
  await expect.poll(() => stateOf(stage, taskId)).toMatch(/finished|rejected|timed-out|aborted/)
  return (await stateOf(stage, taskId)) === 'finished'
}

async function finish(stage: Stage, taskId: string): Promise<boolean> {
  await release(stage, taskId)
  return isFinished(stage, taskId)
}

async function started(answer: Promise<{ body: Task }>): Promise<string> {
  const done = await answer
  expect(done).toSucceed()
  return done.body._id
}

const startExport = ({ person, projectId }: World) =>
  started(person.call(projectTaskEndpoints.export, { params: { projectId }, body: {} }))

const addMedium = async (
  { server }: Stage,
  { owner, projectId }: World,
  content: Buffer,
  contentType: string,
) => {
  const file = await upload(server, owner, { name: 'medium', contentType, content, project: projectId })
  const added = await owner.call(mediaEndpoints.create, { params: { projectId }, body: { file } })
  expect(added).toSucceed()
  return added.body
}
export const addSound = (stage: Stage, world: World) => addMedium(stage, world, sound, 'audio/mpeg')

const countMedia = async ({ owner, projectId }: World) =>
  (await owner.call(mediaEndpoints.list, { params: { projectId } })).body.total

/** Exports a project with one sound, and returns the archive. */
async function archive(stage: Stage, world: World): Promise<Buffer> {
  const { server } = stage
  await addSound(stage, world)
  const { owner: person } = world
  const taskId = await startExport({ ...world, person })
  expect(await finish(stage, taskId)).toBe(true)
  const { body } = await person.call(taskEndpoints.read, { params: { projectId: world.projectId, taskId } })
  return Buffer.from(await (await fetch(server.url + body.state.fileUrl)).arrayBuffer())
}

async function startImport(
  stage: Stage,
  world: World,
  grants: readonly { person: GivenPerson; productRole: string }[] = [],
): Promise<string> {
  const { server } = stage
  const { person, projectId } = world
  const source = await server.given.project(world.owner, { products: ['project', 'media-library'], grants })
  const content = await archive(stage, { ...world, projectId: source.projectId })
  const file = await upload(server, person, {
    name: 'project.zip',
    contentType: 'application/zip',
    content,
    project: projectId,
  })
  return started(person.call(projectTaskEndpoints.import, { params: { projectId }, body: { file } }))
}

async function startBatch({ server }: Stage, { person, projectId }: World): Promise<string> {
  const lines = ['first', 'second'].map((name) => `${name}.${projectId}@example.net,project/viewer`)
  const file = await upload(server, person, {
    name: 'people.csv',
    contentType: 'text/csv',
    content: Buffer.from(['email,productRole', ...lines, ''].join('\n')),
    project: projectId,
  })
  return started(person.call(projectTaskEndpoints.inviteAll, { params: { projectId }, body: { file } }))
}

async function isInvited({ server: { db } }: Stage, { projectId }: World, name: string): Promise<boolean> {
  const { rows } =
    await sql`select from token_link where email = ${`${name}.${projectId}@example.net`}`.execute(db)
  return rows.length > 0
}

/**
 * Runs a task until it inserts its first row into a table. Returns a function that lets it continue and waits for its
 * end.
 */
async function atGate(
  stage: Stage,
  { projectId }: World,
  table: 'file' | 'project_grant' | 'batch_invitation',
  taskId: string,
): Promise<() => Promise<boolean>> {
  const { db } = stage.server
  await sql`insert into gate values (${projectId}, ${table})`.execute(db)
  await release(stage, taskId)
  const isWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(db)
    return rows.length > 0
  }
  await expect.poll(isWaiting).toBe(true)
  return async () => {
    await sql`delete from gate where project_id = ${projectId}`.execute(db)
    return isFinished(stage, taskId)
  }
}

//                        nothing  disabled  role  invisible  deleted  signed out
const byCurrentRights = [on, stop, stop, stop, stop, on] as const
const ofProject = [on, on, on, on, on, on] as const

export const taskRows: Row[] = [
  {
    work: 'export in the queue',
    names: { task: 'project-export' },
    role: 'root',
    expected: byCurrentRights,
    async begin(world, stage) {
      const taskId = await startExport(world)
      return () => finish(stage, taskId)
    },
  },
  {
    work: 'running export',
    role: 'root',
    expected: byCurrentRights,
    isSerial: true,
    async begin(world, stage) {
      return atGate(stage, world, 'file', await startExport(world))
    },
  },
  {
    work: 'import in the queue',
    names: { task: 'project-import' },
    role: 'root',
    expected: byCurrentRights,
    async begin(world, stage) {
      const taskId = await startImport(stage, world)
      return () => finish(stage, taskId)
    },
  },
  {
    work: 'running import',
    role: 'root',
    expected: byCurrentRights,
    isSerial: true,
    async begin(world, stage) {
      const end = await atGate(stage, world, 'file', await startImport(stage, world))
      return async () => {
        await end()
        return (await countMedia(world)) > 0
      }
    },
  },
  {
    work: 'second grant of a running import',
    role: 'root',
    // A change of the project's grants waits for the one that the import is adding.
    expected: [on, stop, stop, none, none, on],
    isSerial: true,
    async begin(world, stage) {
      const { db, given } = stage.server
      const people = [await given.person(), await given.person()]
      const grants = people.map((person) => ({ person, productRole: 'project/viewer' }))
      const taskId = await startImport(stage, world, grants)
      const end = await atGate(stage, world, 'project_grant', taskId)
      return async () => {
        await end()
        const { rows } = await sql`
          select from project_grant where project_id = ${world.projectId} and person_id = ${people[1]?.personId}`.execute(
          db,
        )
        return rows.length > 0
      }
    },
  },
  {
    work: 'batch of invitations in the queue',
    names: { task: 'invite-batch' },
    role: 'root',
    expected: byCurrentRights,
    async begin(world, stage) {
      const taskId = await startBatch(stage, world)
      return async () => {
        await finish(stage, taskId)
        return isInvited(stage, world, 'first')
      }
    },
  },
  {
    work: 'running batch of invitations',
    role: 'root',
    expected: byCurrentRights,
    isSerial: true,
    async begin(world, stage) {
      const end = await atGate(stage, world, 'batch_invitation', await startBatch(stage, world))
      return async () => {
        await end()
        return isInvited(stage, world, 'second')
      }
    },
  },
  {
    work: 'formats of a picture that the person added',
    names: { task: 'media-transcode' },
    role: 'root',
    expected: ofProject,
    because: 'the medium already belongs to the project',
    async begin(world, stage) {
      const { default: sharp } = await import('sharp')
      const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      const { task } = await addMedium(stage, { ...world, owner: world.person }, picture, 'image/png')
      return () => finish(stage, task ?? '')
    },
  },
]
