import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { createLog } from '#platform/log.ts'
import type { Agent } from './agent-gateway.ts'
import { createReportWriter } from './report-writer.ts'

/** A writer to a database that can be slow or away, with agents that have all reported. */
function open(count: number, roundTime?: number) {
  const agents = Array.from(
    { length: count },
    (_, index) => ({ edgeId: `edge ${index}`, report: null, reportedAt: 0, isDirty: true }) as Agent,
  )
  /** The edges of each statement. */
  const pieces: string[][] = []
  const state = {
    /** Statements with more reports time out. */
    most: Number.POSITIVE_INFINITY,
    /** Statements with this edge time out. */
    stuck: '',
    isAway: false,
    /** Milliseconds that a statement takes. */
    duration: 0,
  }
  const writer = createReportWriter({
    async write(reports) {
      const ids = reports.map(({ agent }) => agent.edgeId)
      pieces.push(ids)
      if (state.duration > 0) await sleep(state.duration)
      if (state.isAway) throw new AppError('DATABASE_UNAVAILABLE')
      if (ids.length > state.most || ids.includes(state.stuck)) throw new AppError('QUERY_TIMEOUT')
      for (const { agent } of reports) agent.isDirty = false
    },
    log: createLog('silent'),
    ...(roundTime !== undefined && { roundTime }),
  })
  const dirty = () => agents.filter(({ isDirty }) => isDirty)
  return {
    pieces,
    state,
    dirty: () => dirty().map(({ edgeId }) => edgeId),
    writeRound: () => writer.writeRound(dirty()),
    reportAgain() {
      for (const agent of agents) agent.isDirty = true
    },
  }
}

test('reports are written in smaller pieces while larger ones time out, and in larger ones afterwards', async () => {
  const { pieces, state, dirty, writeRound, reportAgain } = open(600)
  state.most = 40
  expect(await writeRound()).toMatchObject({ code: 'QUERY_TIMEOUT' })
  expect(pieces[0]).toHaveLength(250)
  for (let round = 0; round < 20 && dirty().length > 0; round += 1) await writeRound()
  expect(dirty()).toEqual([])

  state.most = Number.POSITIVE_INFINITY
  for (let round = 0; round < 2; round += 1) {
    reportAgain()
    expect(await writeRound()).toBeUndefined()
    expect(dirty()).toEqual([])
  }
  expect(pieces.at(-3)).toHaveLength(250)
})

test('an edge whose write always times out is soon written alone, and delays no other', async () => {
  const { pieces, state, dirty, writeRound, reportAgain } = open(30)
  state.stuck = 'edge 7'
  for (let round = 0; round < 6; round += 1) await writeRound()
  expect(dirty()).toEqual(['edge 7'])
  reportAgain()
  pieces.length = 0
  expect(await writeRound()).toMatchObject({ code: 'QUERY_TIMEOUT' })
  expect(dirty()).toEqual(['edge 7'])
  expect(pieces.filter((piece) => piece.includes('edge 7'))).toEqual([['edge 7']])
})

test('a round ends when the database is unavailable, and the next begins with the agents that were not tried', async () => {
  const { pieces, state, dirty, writeRound } = open(600)
  state.isAway = true
  expect(await writeRound()).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(await writeRound()).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(pieces.map(([first]) => first)).toEqual(['edge 0', 'edge 250'])
  state.isAway = false
  expect(await writeRound()).toBeUndefined()
  expect(dirty()).toEqual([])
})

test('a round that takes too long leaves the rest to the next', async () => {
  const { pieces, state, dirty, writeRound } = open(1000, 30)
  state.duration = 20
  await writeRound()
  expect(pieces.length).toBeLessThan(3)
  expect(dirty().length).toBeGreaterThan(0)
  for (let round = 0; round < 4; round += 1) await writeRound()
  expect(dirty()).toEqual([])
})
