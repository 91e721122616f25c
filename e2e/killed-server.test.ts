import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, type Project } from '@pult/contract'
import { freePort, sized } from '@pult/testkit'
import { expect, test } from 'vitest'
import { dataFolder, postgresOf, signal, startProcess } from './server-process.ts'

/*
 * Kills the server and its database while users write. Afterwards every acknowledged write exists, and all others can
 * be repeated.
 */

const rounds = sized(2, 4)
const lanes = 4
const writesMost = 100

/** A sent write, and whether its response arrived. */
type Sent = 'answered' | 'unknown'

/**
 * Possible states of a project: the last acknowledged value of each field, and possibly that of the unacknowledged
 * write.
 */
interface Written {
  key: string
  /** Label of the creation, which also identifies the write. */
  firstLabel: string
  creation: Sent
  id?: string
  labels: string[]
  grants: ('none' | 'some')[]
}

interface Session {
  url: string
  token: string
  personId: string
}

/** Returns undefined if no response arrived. */
async function call(
  { url, token }: Session,
  method: string,
  path: string,
  { body, key }: { body?: object; key?: string } = {},
): Promise<{ status: number; body: Record<string, unknown> } | undefined> {
  try {
    const response = await fetch(`${url}${apiBase}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  } catch {
    return undefined
  }
}

const create = (session: Session, { key, firstLabel }: Pick<Written, 'key' | 'firstLabel'>) =>
  call(session, 'POST', '/projects', { key, body: { label: firstLabel } })

/** Writes projects in sequence, each with several writes, until a response is missing. */
async function write(session: Session, all: Written[], onAnswer: () => void): Promise<void> {
  let count = 0

  /** Returns whether the write was acknowledged. Until then its record has two possible states. */
  async function send<State>(states: State[], next: State, doIt: () => ReturnType<typeof call>) {
    states.push(next)
    const answer = await doIt()
    // A server that is shutting down may reject a write that it has executed.
    if (answer?.status !== 200) return undefined
    states.splice(0, states.length, next)
    count += 1
    onAnswer()
    return answer.body
  }

  while (count < writesMost) {
    const key = randomUUID()
    const project: Written = {
      key,
      firstLabel: `Project ${key}`,
      creation: 'unknown',
      labels: [`Project ${key}`],
      grants: ['none'],
    }
    all.push(project)
    const made = await create(session, project)
    if (made?.status !== 200) return
    project.creation = 'answered'
    project.id = String(made.body['_id'])
    count += 1
    onAnswer()
    const path = `/projects/${project.id}`
    for (let index = 0; index < 3; index += 1) {
      const label = `${project.firstLabel} ${index}`
      if (!(await send(project.labels, label, () => call(session, 'PUT', path, { body: { label } })))) return
    }
    const user = session.personId
    const grants = `/apps/root${path}/grants`
    const given = await send(project.grants, 'some', () => call(session, 'POST', grants, { body: { user } }))
    if (given === undefined) return
    if (count % 2 === 0) continue
    const grant = `${grants}/${String(given['_id'])}`
    if (!(await send(project.grants, 'none', () => call(session, 'DELETE', grant)))) return
  }
}

async function allProjects(session: Session): Promise<Project[]> {
  const items: Project[] = []
  for (let after = ''; ; ) {
    const answer = await call(session, 'GET', `/projects?limit=200${after}`)
    expect(answer?.status).toBe(200)
    const page = answer?.body as { items: Project[]; next?: string }
    items.push(...page.items)
    if (page.next === undefined) return items
    after = `&after=${encodeURIComponent(page.next)}`
  }
}

test('RULE-59 after kill -9 every acknowledged write exists, and a repeated create creates one record', {
  timeout: 180_000,
  tags: ['long'],
}, async () => {
  const port = await freePort()
  const folder = await dataFolder()
  const settings = { PORT: String(port), PULT_DATA: folder }
  let server = startProcess(settings)
  await server.ready()
  const registered = await fetch(server.firstRootLink()?.replace('/bift/', '/api/bift/redeem/') ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstname: 'Rosa', lastname: 'Root', password: 'eine gute lange Kette' }),
  })
  const { token } = (await registered.json()) as { token: string }
  const session: Session = { url: `http://localhost:${port}`, token, personId: '' }
  session.personId = String((await call(session, 'GET', '/me'))?.body['_id'])

  const all: Written[] = []
  for (let round = 0; round < rounds; round += 1) {
    let answered = 0
    const { promise: underWay, resolve: isUnderWay } = Promise.withResolvers<void>()
    const writing = Promise.all(
      Array.from({ length: lanes }, () =>
        write(session, all, () => {
          answered += 1
          if (answered === 10) isUnderWay()
        }),
      ),
    )
    await underWay
    const delay = randomInt(300)
    await sleep(delay)
    server.kill('SIGKILL')
    // Every second round also kills the database.
    if (round % 2 === 1) for (const pid of await postgresOf(folder)) signal(pid, 'SIGKILL')
    await server.exited
    await writing
    const what = `round ${round}, killed ${delay} ms after the first ten of ${answered} answers`
    expect(answered, what).toBeLessThan(lanes * writesMost)

    server = startProcess(settings)
    await server.ready()
    const present = Map.groupBy(await allProjects(session), ({ label }) => label.slice(0, 44))
    for (const written of all) {
      const found = present.get(written.firstLabel) ?? []
      const ids = found.map(({ _id }) => _id)
      expect(ids, what).toEqual(written.creation === 'answered' ? [written.id] : ids.slice(0, 1))
      for (const { label, grants } of found) {
        expect(written.labels, what).toContain(label)
        expect(written.grants, what).toContain(grants.length === 0 ? 'none' : 'some')
        expect(grants.length).toBeLessThanOrEqual(1)
        // Later rounds expect the state of this round.
        written.labels = [label]
        written.grants = [grants.length === 0 ? 'none' : 'some']
      }
    }

    // Repeats the last creation and each unacknowledged one twice, like a client that received no response.
    const uncertain = all.filter(({ creation }) => creation === 'unknown')
    for (const written of [...uncertain, ...all.slice(-1)]) {
      const [first, again] = await Promise.all([create(session, written), create(session, written)])
      expect(first?.status, what).toBe(200)
      const id = present.get(written.firstLabel)?.[0]?._id ?? String(first?.body['_id'])
      expect([first, again].map((answer) => answer?.body['_id'])).toEqual([id, id])
      written.id = id
      written.creation = 'answered'
    }
    const afterwards = await allProjects(session)
    expect(afterwards).toHaveLength(all.length)
    expect(new Set(afterwards.map(({ label }) => label.slice(0, 44))).size).toBe(all.length)
  }
})
