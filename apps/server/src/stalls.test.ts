import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type CollectionChange,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeJobEndpoints,
  emailEndpoints,
  fileEndpoints,
  mediaEndpoints,
  noteEndpoints,
  projectTaskEndpoints,
  type Task,
  taskDriverEndpoints,
  taskEndpoints,
  taskTokenEndpoints,
} from '@pult/contract'
import {
  type Answer,
  createTestDatabase,
  extensionFolder,
  lineTo,
  onFileEnd,
  openMailbox,
  openS3Server,
  type TestServer,
  testServer,
} from '@pult/testkit'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'
import { connectAgent, type VirtualAgent } from './edges/testing/virtual-agent.ts'

/* Ten kinds of work on two nodes while the database, the file store or both do not answer for five seconds. */

const stallTime = 5000

const testDatabase = await createTestDatabase()
onFileEnd(testDatabase.drop)
const { connection } = testDatabase
const database = await lineTo({ path: join(connection.host, `.s.PGSQL.${connection.port}`) })
const bucket = await openS3Server()
const store = await lineTo({ port: Number(new URL(bucket.url).port) })
const lines = { database, store }

const dataFolder = await mkdtemp(join(tmpdir(), 'pult-stalls-'))
onFileEnd(() => rm(dataFolder, { recursive: true }))
const mailbox = await openMailbox()
const forge = {
  id: 'forge',
  products: [{ sku: 'forge', label: 'Forge', roles: [] }],
  tasks: [{ kind: 'render', label: 'Render' }],
}
const options = {
  besides: {
    testDatabase: {
      connection: { ...connection, host: '127.0.0.1', port: database.port },
      drop: async () => {},
    },
    secret: randomBytes(32).toString('base64'),
    dataFolder,
  },
  settings: {
    ...bucket.settings,
    FILES_S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'pult@example.org',
  },
  extensionsFolder: await extensionFolder({ forge: { manifest: forge } }),
  hasCallLimits: true,
}
const [server, second] = [await testServer(options), await testServer(options)]
for (const node of [server, second]) node.watchSecret(bucket.settings.FILES_S3_SECRET_KEY)
const { db, given } = server

/** Repeats a call as a client does, while it gets no answer or one that requests a retry. */
async function untilAnswered<Reply>(call: () => Promise<Answer<Reply>>): Promise<Answer<Reply>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call().catch(() => undefined)
    if (answer !== undefined && answer.status !== 503 && answer.status !== 429) return answer
    if (attempt > 200) throw new Error('The server does not recover')
    await delay(250)
  }
}
async function succeed<Reply>(call: () => Promise<Answer<Reply>>): Promise<Reply> {
  const answer = await untilAnswered(call)
  expect(answer).toSucceed()
  return answer.body
}

/** An import skips pictures that the project already has, so each picture has its own colour. */
const pictureOf = (colour: string) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: colour } })
    .png()
    .toBuffer()

/** Creates a project with everything that the work below needs, before any stall. */
async function site() {
  const owner = await given.person()
  const made = await given.project(owner, {
    products: ['project', 'media-library', 'edges', 'forge'],
  })
  const params = { projectId: made.projectId }
  const key = (name: string) => ({ 'idempotency-key': name })
  const ended = async (task: Pick<Task, '_id'>): Promise<Task> => {
    for (;;) {
      const read = await succeed(() =>
        owner.call(taskEndpoints.read, { params: { ...params, taskId: task._id } }),
      )
      if (read.fulfilledAt !== null) return read
      await delay(200)
    }
  }

  /** Starts a task without an Idempotency-Key: a client looks for it before it repeats a call whose answer was lost. */
  const started = (place: { projectId: string }, type: string, start: () => Promise<Answer<Task>>) =>
    succeed(async () => {
      const begun = await owner.call(taskEndpoints.list, { params: place, query: { search: `type:${type}` } })
      const task = begun.status === 200 ? begun.body.items[0] : undefined
      return begun.status === 200 && task === undefined ? start() : { ...begun, body: task as Task }
    })

  async function uploaded(name: string, contentType: string, content: Buffer, project = params.projectId) {
    const size = content.length
    const ticket = await succeed(() =>
      owner.call(fileEndpoints.create, {
        body: { filename: name, contentType, size, project },
      }),
    )
    await expect
      .poll(async () => {
        const put = { method: 'PUT', headers: ticket.headers, body: new Uint8Array(content) }
        return (await fetch(ticket.url, put).catch(() => undefined))?.status
      })
      .toBe(200)
    await succeed(() => owner.call(fileEndpoints.complete, { params: { filename: ticket.filename } }))
    return ticket.filename
  }

  async function addPicture(colour: string): Promise<string> {
    const file = await uploaded(`${colour}.png`, 'image/png', await pictureOf(colour))
    const medium = await succeed(() =>
      owner.call(mediaEndpoints.create, { params, body: { file, tags: [colour] }, headers: key(colour) }),
    )
    if (medium.task !== null) expect(await ended({ _id: medium.task })).toMatchObject({ isRejected: false })
    return medium._id
  }

  /** An edge whose agent reconnects whenever it loses its connection. Counts how often it executed each command. */
  async function edge(label: string, node: TestServer) {
    const enrolled = await succeed(() => owner.call(edgeEndpoints.enrol, { params, body: { label } }))
    const { token } = await succeed(() =>
      server.call(edgeEnrolmentEndpoints.redeem, { body: { code: enrolled.code } }),
    )
    for (const secret of [enrolled.code, token]) node.watchSecret(secret)
    const obeyed = new Map<string, number>()
    let agent: VirtualAgent | undefined
    let run = randomUUID()
    const over = new AbortController()
    async function live(): Promise<void> {
      while (!over.signal.aborted) {
        const connected = await connectAgent(node.url, { token, run })
        agent = connected
        const reporting = setInterval(() => connected.report({ commands: [] }), 2000)
        connected.report({ commands: [] })
        connected.ws.on('message', () => {
          const message = connected.messages.at(-1)
          if (message?.type !== 'command') return
          const { id, command } = message
          // An agent remembers its results for repeated commands.
          if (!obeyed.has(id)) obeyed.set(id, 0)
          if (message.isRepeated !== true || obeyed.get(id) === 0) obeyed.set(id, (obeyed.get(id) ?? 0) + 1)
          connected.send({ type: 'answer', command: id, lines: [], outcome: { ok: true, info: 'obeyed' } })
          if (command.name !== 'restart') return
          run = randomUUID()
          connected.ws.close()
        })
        await connected.closed
        clearInterval(reporting)
        await delay(200)
      }
    }
    void live()
    onTestFinished(() => {
      over.abort()
      agent?.ws.terminate()
    })
    const place = { params: { ...params, edgeId: enrolled.edge._id } }
    await expect
      .poll(async () => (await untilAnswered(() => owner.call(edgeEndpoints.read, place))).body.report)
      .not.toBeNull()
    return { edgeId: enrolled.edge._id, obeyed }
  }
  return { owner, params, key, started, ended, uploaded, addPicture, edge }
}

test.each([
  ['the database does', ['database']],
  ['the file store does', ['store']],
  ['both do', ['database', 'store']],
] as const)('RULE-80 no work is lost, duplicated or rejected while %s not answer', async (_name, stalled) => {
  const { owner, params, key, started, ended, uploaded, addPicture, edge } = await site()
  await Promise.all(['navy', 'olive'].map(addPicture))
  const exporting = (name: string) => () =>
    owner.call(projectTaskEndpoints.export, { params, body: {}, headers: key(name) })
  const earlier = await ended(await succeed(exporting('earlier')))
  const zip = Buffer.from(await (await fetch(new URL(earlier.state.fileUrl ?? '', server.url))).arrayBuffer())
  const target = await given.project(owner, { products: ['project', 'media-library'] })
  const zipFile = await uploaded('messe.zip', 'application/zip', zip, target.projectId)
  const kept = await succeed(() =>
    owner.call(noteEndpoints.create, { params, body: { label: 'old', text: '' } }),
  )
  const [restarting, diagnosed] = [await edge('Crane', second), await edge('Hall', server)]
  const { token } = await succeed(() =>
    owner.call(taskTokenEndpoints.create, { params, body: { label: 'Farm', types: ['forge/render'] } }),
  )
  server.watchSecret(token)
  const driven = await succeed(() =>
    server.call(
      taskDriverEndpoints.create,
      { params, body: { type: 'forge/render', title: 'Render' }, headers: key('render') },
      token,
    ),
  )
  const watcher = await openTestSocket(server.url, { token: owner.token })
  onTestFinished(() => watcher.ws.terminate())
  const topic = `/projects/${params.projectId}/notes`
  expect(await watcher.ask({ type: 'subscribe', topic })).toBe('subscribed')

  // Tasks that run when the stall begins.
  const exported = await succeed(exporting('later'))
  const imported = await started(target, 'project-import', () =>
    owner.call(projectTaskEndpoints.import, { params: target, body: { file: zipFile } }),
  )
  const restarted = await started(params, 'edge-restart', () =>
    owner.call(edgeEndpoints.restart, { params: { ...params, edgeId: restarting.edgeId }, body: {} }),
  )
  const job = await succeed(() =>
    owner.call(edgeJobEndpoints.start, {
      params,
      body: { command: { name: 'diagnostics' }, target: { edges: [diagnosed.edgeId] } },
      headers: key('look'),
    }),
  )
  const resumes = stalled.map((name) => lines[name].stall())
  const stall = delay(stallTime).then(() => resumes.forEach((resume) => resume()))

  const labels = Array.from({ length: 20 }, (_, index) => `note-${index}`)
  const addresses = ['one', 'two'].map((name) => `${name}.${params.projectId}@example.org`)
  await Promise.all([
    ...labels.map(async (label, index) => {
      await delay(index * 300)
      const body = { label, text: '' }
      await succeed(() => owner.call(noteEndpoints.create, { params, body, headers: key(label) }))
    }),
    succeed(() =>
      owner.call(noteEndpoints.update, { params: { ...params, itemId: kept._id }, body: { label: 'new' } }),
    ),
    addPicture('teal'),
    succeed(() =>
      server.call(
        taskDriverEndpoints.fulfil,
        { params: { ...params, taskId: driven.task._id }, body: { fence: driven.fence, info: 'rendered' } },
        token,
      ),
    ),
    ...addresses.map(async (email) => {
      const added = await untilAnswered(() => owner.call(emailEndpoints.create, { body: { email } }))
      // The second code is that of a call whose first answer was lost.
      expect([undefined, 'EMAIL_ADDED_ALREADY']).toContain(added.code)
    }),
  ])
  await stall

  for (const task of [exported, restarted, driven.task])
    expect(await ended(task)).toMatchObject({ isRejected: false, isTimedOut: false, isAborted: false })
  const importedTask = async () =>
    succeed(() =>
      owner.call(taskEndpoints.read, { params: { projectId: target.projectId, taskId: imported._id } }),
    )
  await expect.poll(async () => (await importedTask()).fulfilledAt).not.toBeNull()
  expect(await importedTask()).toMatchObject({ isRejected: false, isTimedOut: false, error: null })
  await expect
    .poll(
      async () =>
        (await succeed(() => owner.call(edgeJobEndpoints.read, { params: { ...params, jobId: job._id } })))
          .counts.done,
    )
    .toBe(1)

  const notes = await succeed(() => owner.call(noteEndpoints.list, { params, query: { limit: '100' } }))
  expect(notes.items.map(({ label }) => label).toSorted()).toEqual(['new', ...labels].toSorted())
  for (const [project, tags] of [
    [params, ['navy', 'olive', 'teal']],
    [target, ['navy', 'olive']],
  ] as const) {
    const media = await succeed(() =>
      owner.call(mediaEndpoints.list, { params: { projectId: project.projectId }, query: {} }),
    )
    expect(media.items.flatMap((item) => item.tags).toSorted()).toEqual(tags)
    for (const { state, source } of media.items) {
      expect(state).toBe('ready')
      for (const { url } of source.formats)
        expect((await fetch(new URL(url, server.url), { redirect: 'follow' })).status).toBe(200)
    }
  }
  expect([...restarting.obeyed.values(), ...diagnosed.obeyed.values()]).toEqual([1, 1])
  for (const address of addresses) await mailbox.take(address)
  expect(mailbox.received.filter(({ to }) => addresses.includes(to))).toHaveLength(2)
  // A closed socket makes its client refetch.
  const created = () =>
    watcher.messages.filter(
      (message) => message.type === 'event' && (message.data as CollectionChange).revision === 1,
    ).length
  await expect.poll(() => !watcher.isOpen() || created() === labels.length).toBe(true)
  const failed = await db
    .selectFrom('task')
    .select(['type', 'state', 'error'])
    .where('state', 'in', ['rejected', 'timed-out'])
    .execute()
  expect(failed).toEqual([])
})
