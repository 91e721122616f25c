import { setTimeout as wait } from 'node:timers/promises'
import { apiBase, organisationEndpoints, projectEndpoints } from '@pult/contract'
import { sql } from 'kysely'
import type { BenchOptions } from '../arguments.ts'
import { type Answer, createClient } from '../calls.ts'
import { openPultClients, type ReceivedChange } from '../clients.ts'
import { addCrowd, addOrganisation, type CrowdMember, withDatabase } from '../crowd.ts'
import { mePath } from '../login-calls.ts'
import { percentile } from '../measure.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/** One call in ten changes a project. The others read. */
const changeEvery = 10
const socketsPerPerson = 2
const grantsPerPerson = 5
/** Milliseconds after which a change that a socket has not received counts as lost. */
const afterwards = 5000

interface Project {
  id: string
  /** Indexes of grant holders in the crowd. */
  holders: ReadonlySet<number>
}

/** Number of events about a project that a socket has received. */
type Received = Map<string, number>

/**
 * Measures many consoles under constant load. Every socket receives each change of its user's projects once, and no
 * other change. Each user holds grants of five projects. Root, who has no socket, changes one project after the
 * other.
 */
export async function* measureSockets(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const { pultUrl, pultToken, connection } = await bench.pair()
  const [socketCount, callsPerSecond, seconds] = isQuick ? [200, 30, 6] : [2000, 300, 60]
  const { crowd, projects } = await withDatabase(connection, async (db) => {
    const people = await addCrowd(db, socketCount / socketsPerPerson)
    await addOrganisation(db, people)
    return { crowd: people, projects: await addGrantedProjects(db, people) }
  })

  const received: Received[] = Array.from({ length: socketCount }, () => new Map<string, number>())
  const changedAt = new Map<string, number>()
  const latencies: number[] = []
  const onChange = ({ client, id, at }: ReceivedChange) => {
    const of = received[client]
    of?.set(id, (of.get(id) ?? 0) + 1)
    const begin = changedAt.get(id)
    if (begin !== undefined) latencies.push(at - begin)
  }
  const personOf = (client: number) => client % crowd.length
  const tokens = received.map((_, client) => crowd[personOf(client)]?.token ?? '')
  const clients = await openPultClients({ url: pultUrl, onChange }, tokens, [
    'projects',
    'organisations',
    'me',
  ])

  const client = createClient(pultUrl, 50)
  const calls: Promise<Answer | undefined>[] = []
  const changes = new Map<string, number>()
  // A failed call may have changed the project, so events about it prove nothing.
  const uncertain = new Set<string>()
  const total = callsPerSecond * seconds
  const start = performance.now()
  for (let number = 0; number < total; number += 1) {
    // Calls follow the clock, not the responses, so that a slow server gets as many calls.
    const early = start + (number * 1000) / callsPerSecond - performance.now()
    if (early > 1) await wait(early)
    calls.push(call(number).catch(() => undefined))
  }
  const perSecond = total / ((performance.now() - start) / 1000)
  const answers = await Promise.all(calls)
  await wait(afterwards)
  clients.close()
  client.close()

  async function call(number: number): Promise<Answer | undefined> {
    const token = crowd[number % crowd.length]?.token ?? ''
    if (number % changeEvery !== 0) {
      return client.call(reads[number % reads.length] ?? mePath, { token })
    }
    const { id } = projects[(number / changeEvery) % projects.length] ?? { id: '' }
    const path = apiBase + projectEndpoints.update.path.replace(':projectId', id)
    changedAt.set(id, performance.now())
    const body = { meta: { projectId: `B-${number}` } }
    const answer = await client.call(path, { method: 'PUT', token: pultToken, body }).catch(() => undefined)
    if (answer?.status === 200) changes.set(id, (changes.get(id) ?? 0) + 1)
    else uncertain.add(id)
    return answer
  }

  const served = answers.filter((answer) => answer?.status === 200) as Answer[]
  const { lost, foreign, doubled } = compare(received, { projects, changes, uncertain, personOf })
  const name = `${socketCount.toLocaleString('en-US')} sockets, ${callsPerSecond} calls/s for ${seconds} s`
  const sum = [...changes.values()].reduce((all, count) => all + count, 0)
  yield* [
    {
      name: `${name}: events lost`,
      unit: '',
      ours: [lost],
      bar: { kind: 'at most', value: 0 },
      note: `${sum} changes of ${projects.length - uncertain.size} projects, ${latencies.length} deliveries, ${clients.closed.size} sockets closed; ${perSecond.toFixed(0)} calls/s made`,
    },
    {
      name: 'events to sockets without access',
      unit: '',
      ours: [foreign],
      bar: { kind: 'at most', value: 0 },
    },
    { name: 'events received twice', unit: '', ours: [doubled], bar: { kind: 'at most', value: 0 } },
    { name: 'calls refused', unit: '', ours: [total - served.length], bar: { kind: 'at most', value: 0 } },
    { name: 'from the call to a socket, p99', unit: 'ms', ours: [percentile(latencies, 0.99)] },
    {
      name: 'a call during the run, p99',
      unit: 'ms',
      ours: [
        percentile(
          served.map(({ milliseconds }) => milliseconds),
          0.99,
        ),
      ],
    },
  ]
}

const reads = [
  mePath,
  `${apiBase}${projectEndpoints.list.path}`,
  mePath,
  `${apiBase}${organisationEndpoints.list.path}`,
]

/** Adds one project per ten users. Each user holds grants of five adjacent projects. */
async function addGrantedProjects(
  db: Parameters<typeof addCrowd>[0],
  crowd: readonly CrowdMember[],
): Promise<Project[]> {
  const count = Math.ceil(crowd.length / 10)
  const { rows } = await sql<{ id: string }>`
    insert into project (id, label, owner_id, products)
    select uuidv7(), 'Bench ' || n, (select id from person where is_root limit 1), '{project}'
    from generate_series(1, ${count}) n returning id`.execute(db)
  const projects = rows.map(({ id }) => ({ id, holders: new Set<number>() }))
  const grants: { projectId: string; personId: string }[] = []
  for (const [index, { personId }] of crowd.entries()) {
    for (let offset = 0; offset < Math.min(grantsPerPerson, count); offset += 1) {
      const project = projects[(index + offset) % count]
      project?.holders.add(index)
      grants.push({ projectId: project?.id ?? '', personId })
    }
  }
  await sql`
    insert into project_grant (id, project_id, person_id, product_role)
    select uuidv7(), project_id, person_id, 'project/viewer'
    from unnest(${grants.map(({ projectId }) => projectId)}::uuid[], ${grants.map(({ personId }) => personId)}::uuid[])
      as each (project_id, person_id)`.execute(db)
  await sql`analyze project, project_grant`.execute(db)
  return projects
}

function compare(
  received: readonly Received[],
  {
    projects,
    changes,
    uncertain,
    personOf,
  }: {
    projects: readonly Project[]
    changes: ReadonlyMap<string, number>
    uncertain: ReadonlySet<string>
    personOf: (client: number) => number
  },
): { lost: number; foreign: number; doubled: number } {
  const result = { lost: 0, foreign: 0, doubled: 0 }
  for (const [client, of] of received.entries()) {
    const left = new Map(of)
    for (const { id, holders } of projects) {
      if (!holders.has(personOf(client))) continue
      left.delete(id)
      if (uncertain.has(id)) continue
      const missing = (changes.get(id) ?? 0) - (of.get(id) ?? 0)
      if (missing > 0) result.lost += missing
      else result.doubled -= missing
    }
    for (const count of left.values()) result.foreign += count
  }
  return result
}
