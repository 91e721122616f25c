import {
  accessRequestEndpoints,
  fileEndpoints,
  mediaEndpoints,
  projectEndpoints,
  projectTaskEndpoints,
  taskDriverEndpoints,
  taskEndpoints,
  tokenLinkEndpoints,
} from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import { createBackupRunRepository } from '../../backup/backup-run.repository.ts'
import { isMailed } from './withdrawn-edges.ts'
import { none, on, type Role, type Row, type Stage, stop, type World } from './withdrawn-rights.ts'
import { addSound, release, stateOf } from './withdrawn-tasks.ts'

/** Requests a ticket for a small text, and returns a function that uploads it. */
async function ticket(
  { server }: Stage,
  { projectId }: World,
  token: string,
): Promise<() => Promise<boolean>> {
  const body = { filename: 'a.txt', contentType: 'text/plain', size: 4, project: projectId }
  const made = await server.call(fileEndpoints.create, { body }, token)
  expect(made).toSucceed()
  const { url, headers } = made.body
  server.watchSecret(url.split('/').at(-1) ?? '')
  return async () =>
    (await fetch(new URL(url, server.url), { method: 'PUT', headers, body: 'text' })).status === 200
}

/** Adds a task token of the person. Its kinds of tasks need no extension. */
async function taskToken({ server }: Stage, { projectId, person }: World): Promise<string> {
  const token = `pult-task-${newToken()}`
  server.watchSecret(token)
  await sql`
    insert into task_token (id, project_id, label, types, token_hash, created_by, expires_at)
    values (${uuidv7()}, ${projectId}, 'Farm', '{forge/*}', ${hashToken(token)}, ${person.personId}, now() + interval '1 day')`.execute(
    server.db,
  )
  return token
}

/** Sends an event to a topic. Returns whether a socket that had subscribed receives it. */
function topicRow(
  names: { topic: string } | undefined,
  role: Role,
  expected: Row['expected'],
  path?: string,
): Row {
  return {
    work: `subscription to ${names?.topic ?? path}`,
    ...(names !== undefined && { names }),
    role,
    expected,
    async begin({ person, owner, projectId }, { server, atEnd }) {
      const topic = `/projects/${projectId}/${names?.topic ?? path}`
      const open = async (token: string) => {
        const socket = await openTestSocket(server.url, { token })
        atEnd(() => socket.ws.terminate())
        expect(await socket.ask({ type: 'subscribe', topic })).toBe('subscribed')
        const isThere = () =>
          socket.messages.some((message) => message.type === 'event' && message.name === 'probe')
        return { socket, isThere }
      }
      const theirs = await open(person.token)
      const control = await open(owner.token)
      return async () => {
        await server.app.events.transaction((_trx, emit) => emit({ topic, name: 'probe', data: {} }))
        await expect.poll(control.isThere).toBe(true)
        const { socket } = theirs
        socket.send({ type: 'ping' })
        const isSettled = () => socket.messages.some(({ type }) => type === 'pong') || !socket.isOpen()
        await expect.poll(isSettled).toBe(true)
        return theirs.isThere()
      }
    },
  }
}

const fetched = async ({ server }: Stage, url: string | undefined) =>
  (await fetch(new URL(url ?? '', server.url))).status === 200

//                        nothing  disabled  role  invisible  deleted  signed out
const byCurrentRights = [on, stop, stop, stop, stop, on] as const
const bySession = [on, stop, stop, stop, stop, stop] as const
const bySessionOfMembers = [on, stop, on, stop, stop, stop] as const

export const linkRows: Row[] = [
  topicRow({ topic: 'notes' }, 'root', bySession),
  topicRow({ topic: 'media' }, 'media-library/viewer', bySession),
  topicRow({ topic: 'edges' }, 'edges/operator', bySession),
  topicRow({ topic: 'edge-jobs' }, 'edges/operator', bySession),
  {
    ...topicRow({ topic: 'LTT' }, 'edges/operator', bySessionOfMembers),
    because: 'every member sees the tasks of the project',
  },
  topicRow(undefined, 'edges/operator', bySession, 'apps/edges/store'),
  {
    work: 'link of a medium',
    role: 'media-library/viewer',
    expected: bySessionOfMembers,
    because: 'every member of the project may read its files',
    async begin(world, stage) {
      await addSound(stage, world)
      const { person, projectId } = world
      const media = await person.call(mediaEndpoints.list, { params: { projectId } })
      expect(media).toSucceed()
      return () => fetched(stage, media.body.items[0]?.source.formats[0]?.url)
    },
  },
  {
    work: 'download link of a finished export',
    role: 'root',
    expected: bySessionOfMembers,
    because: 'the file was made for the person, who sees the project',
    async begin({ person, projectId }, stage) {
      const params = { projectId }
      const { body: task } = await person.call(projectTaskEndpoints.export, { params, body: {} })
      await release(stage, task._id)
      await expect.poll(() => stateOf(stage, task._id)).toBe('finished')
      const { body } = await person.call(taskEndpoints.read, { params: { projectId, taskId: task._id } })
      return () => fetched(stage, body.state.fileUrl)
    },
  },
  {
    work: 'ticket for an upload',
    role: 'root',
    expected: bySession,
    begin: (world, stage) => ticket(stage, world, world.person.token),
  },
  {
    work: 'task token',
    role: 'root',
    expected: byCurrentRights,
    async begin(world, { server, ...stage }) {
      const token = await taskToken({ server, ...stage }, world)
      const { projectId } = world
      return async () => {
        const create = { params: { projectId }, body: { type: 'forge/render', title: 'Render' } }
        const { code } = await server.call(taskDriverEndpoints.create, create, token)
        expect(code).toMatch(/^(?:UNAUTHENTICATED|UNKNOWN_TASK_TYPE)$/)
        return code === 'UNKNOWN_TASK_TYPE'
      }
    },
  },
  {
    work: 'ticket for an upload with a task token',
    role: 'root',
    expected: byCurrentRights,
    begin: async (world, stage) => ticket(stage, world, await taskToken(stage, world)),
  },
  {
    work: 'pending invitation to the project',
    role: 'root',
    expected: byCurrentRights,
    async begin({ person, projectId }, { server, mailbox }) {
      const email = `guest.${projectId}@example.net`
      const invited = await person.call(projectEndpoints.invite, {
        params: { projectId },
        body: { email, productRole: 'project/viewer' },
      })
      expect(invited).toSucceed()
      const token = (await mailbox.take(email)).link.split('/bift/')[1] ?? ''
      server.watchSecret(token)
      return async () =>
        (await server.call(tokenLinkEndpoints.preflight, { params: { token } })).status === 200
    },
  },
  {
    work: 'request for access in the list of the owner',
    role: 'project/viewer',
    expected: [on, stop, none, on, stop, on],
    because: 'the owner decides',
    async begin({ person, owner, projectId }) {
      const params = { projectId }
      const asked = await person.call(accessRequestEndpoints.create, {
        params,
        body: { productRole: 'edges/viewer' },
      })
      expect(asked).toSucceed()
      return async () => (await owner.call(accessRequestEndpoints.list, { params })).body.total > 0
    },
  },
  {
    work: 'mail about a request for access',
    names: { job: 'mail' },
    role: 'owner',
    expected: [on, stop, stop, stop, none, on],
    async begin({ person, projectId }, stage) {
      const { db, given } = stage.server
      const asker = await given.person()
      await sql`
        insert into project_grant (id, project_id, person_id, product_role)
        values (${uuidv7()}, ${projectId}, ${asker.personId}, 'project/viewer')`.execute(db)
      return async () => {
        const ask = { params: { projectId }, body: { productRole: 'edges/viewer' } }
        expect(await asker.call(accessRequestEndpoints.create, ask)).toSucceed()
        return isMailed(stage, person, /access|Zugriff/i)
      }
    },
  },
  {
    work: 'mail about the answer to a request for access',
    role: 'project/viewer',
    expected: [on, stop, none, on, stop, on],
    because: 'the person asked',
    async begin({ person, owner, projectId }, stage) {
      const params = { projectId }
      expect(
        await person.call(accessRequestEndpoints.create, { params, body: { productRole: 'edges/viewer' } }),
      ).toSucceed()
      const [request] = (await owner.call(accessRequestEndpoints.list, { params })).body.items
      return async () => {
        await owner.call(accessRequestEndpoints.decline, {
          params: { ...params, requestId: request?._id ?? '' },
          body: {},
        })
        return isMailed(stage, person, /access|Zugriff|request|Anfrage/i)
      }
    },
  },
  {
    work: 'mail about a failed backup',
    names: { job: 'backups' },
    role: 'root',
    expected: [on, stop, stop, stop, stop, on],
    async begin({ person }, { server: { db } }) {
      return async () => (await createBackupRunRepository(db).addressesOfRoots()).includes(person.email)
    },
  },
]
