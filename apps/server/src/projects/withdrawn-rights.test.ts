import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { namesOfProjectTopics } from '../topics.ts'
import { commandInQueue, edgeRows } from './testing/withdrawn-edges.ts'
import { linkRows } from './testing/withdrawn-links.ts'
import {
  newWorld,
  none,
  on,
  openStage,
  type Row,
  stop,
  type Withdrawal,
  withdraw,
  withdrawals,
} from './testing/withdrawn-rights.ts'
import { taskRows } from './testing/withdrawn-tasks.ts'

/*
 * Work that continues without a call, after its person has lost a right. Written by hand, like the access matrix of the
 * calls: each row states for each withdrawal whether the work continues. The last test fails if the server has a kind of
 * task, a job or a topic without a row.
 */

const stage = await openStage()
const { server } = stage
afterEach(() => {
  for (const end of stage.ends.splice(0)) end()
})

const rows = [...taskRows, ...edgeRows, ...linkRows]

/** Jobs that act for no person, and jobs whose own tests prove this. */
const otherJobs: Record<string, string> = {
  'email-verification': 'the link is not valid for a disabled account: email-confirmation.test.ts',
  'password-reset': 'sends nothing to a disabled account: password-reset.test.ts',
  'file-removal': 'deletes released files',
  sweep: 'deletes expired records',
  'sweep-minutely': 'deletes expired records',
  'sweep-often': 'deletes expired records',
}

async function outcomeOf(row: Row, withdrawal: Withdrawal, expected: string): Promise<string> {
  if (expected === none) return none
  const world = await newWorld(server, row.role)
  const proceed = await row.begin(world, stage)
  await withdraw(stage, world, withdrawal)
  return (await proceed()) ? on : stop
}

async function outcomesOf(row: Row): Promise<string[]> {
  const cells = withdrawals.map((withdrawal, index) => ({
    withdrawal,
    expected: row.expected[index] ?? none,
  }))
  const outcomes: string[] = []
  if (!row.isSerial)
    return Promise.all(cells.map(({ withdrawal, expected }) => outcomeOf(row, withdrawal, expected)))
  for (const { withdrawal, expected } of cells) outcomes.push(await outcomeOf(row, withdrawal, expected))
  return outcomes
}

const tableOf = (cells: readonly string[]) =>
  Object.fromEntries(withdrawals.map((withdrawal, index) => [withdrawal, cells[index]]))

test.each(rows.map((row) => [row.work, row] as const))(
  'RULE-30 %s follows the current rights of its person',
  async (_work, row) => {
    expect(tableOf(await outcomesOf(row))).toEqual(tableOf(row.expected))
  },
)

test('a command in the queue does not reach an edge that has left its project', async () => {
  const world = await newWorld(server, 'edges/operator')
  const proceed = await commandInQueue('edge-diagnostics').begin(world, stage)
  const { projectId } = await server.given.project(world.person, { products: ['edges'] })
  await sql`update edge set project_id = ${projectId} where project_id = ${world.projectId}`.execute(
    server.db,
  )
  expect(await proceed()).toBe(false)
})

test('each work that continues after a loss of rights has a reason', () => {
  const isLoss = (index: number) => index > 0 && withdrawals[index] !== 'signed out everywhere'
  const unexplained = rows.filter(
    ({ expected, because }) =>
      because === undefined && expected.some((cell, index) => cell === on && isLoss(index)),
  )
  expect(unexplained.map(({ work }) => work)).toEqual([])
})

test('each kind of task, job and topic of the server has a row', async () => {
  const { rows: queues } = await sql<{ name: string }>`
    select name from pgboss.queue where name not like '\\_\\_%'`.execute(server.db)
  const named = (kind: 'task' | 'job' | 'topic') => rows.flatMap(({ names }) => names?.[kind] ?? [])
  const sorted = (names: readonly string[]) => [...new Set(names)].toSorted()
  expect(sorted(named('task'))).toEqual(sorted(server.app.taskTypes()))
  expect(sorted(named('topic'))).toEqual(sorted(namesOfProjectTopics))
  // The settings decide whether a server makes backups.
  const known = new Set([...named('job'), ...Object.keys(otherJobs)])
  expect(queues.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
})
