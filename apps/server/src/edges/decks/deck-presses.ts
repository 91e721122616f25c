import { randomUUID } from 'node:crypto'
import type { AgentMessage, DeckAction, EdgeDeckStep } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller, Permission } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
import { countWithin } from '#platform/realtime/count-within.ts'
import { runForRequest } from '#platform/request-context.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { ProductRegistry } from '../../extensions/manifests/product-registry.ts'
import type { Agent, AgentGateway } from '../agents/agent-gateway.ts'
import type { createEdgeJobs } from '../jobs/edge-jobs.ts'
import { createDeckKeyRepository, type FoundKey } from './deck-key.repository.ts'

type Press = Extract<AgentMessage, { type: 'press' }>

export interface DeckPressesParts {
  db: Kysely<Database>
  audit: Pick<AuditService, 'recordDone'>
  gateway: Pick<AgentGateway, 'send'>
  /** Returns the account of a deck. Throws FORBIDDEN if it has none, or if the account is disabled. */
  actingPerson: (personId: string | null) => Promise<Caller>
  /** Performs the actions that keys of decks at browsers share, with the checks of each action's own page. */
  act: (who: { caller: Caller; address: string }, action: DeckAction) => Promise<unknown>
  /** Permission to manage the edges of a project. */
  managers: Permission<Caller>
  products: Pick<ProductRegistry, 'scopeOf'>
  jobs: Pick<ReturnType<typeof createEdgeJobs>, 'start'>
  log: Log
}

/** Maximum number of waiting presses of one edge. Further presses are refused instead of acting late. */
const waitingMost = 8

/** Maximum number of presses of one edge per second, as its agent sends at most. */
const pressesPerSecond = 8

/** Milliseconds for which repeated refusals are counted and then recorded together. */
const refusalsWithin = 3_600_000

/** Maximum number of edges whose presses are counted. */
const arrivalsMost = 10_000

/** Refusals of one deck for one reason, after the first one. */
interface Refusals {
  count: number
  timer: NodeJS.Timeout
  record: () => Promise<void>
}

/**
 * Executes presses of decks at edges for the account of the deck, under its current grants. Each press is audited with
 * its outcome, but repeated refusals only with their number: any program with the token of an edge can send presses.
 */
export function createDeckPresses(parts: DeckPressesParts) {
  const { db, audit, gateway, actingPerson, act, managers, products, jobs, log } = parts
  const keys = createDeckKeyRepository(db)
  const waiting = new Map<string, { count: number; last: Promise<void> }>()
  /** Counts the presses of an edge, over all its connections to this node. */
  const arrivals = new Map<string, ReturnType<typeof countWithin>>()
  /** By edge, deck and code. Decks without settings count as one, because an agent can name any. */
  const refusals = new Map<string, Refusals>()

  async function perform(
    caller: Caller,
    { projectId, edgeId, address }: { projectId: string; edgeId: string; address: string },
    step: EdgeDeckStep,
  ): Promise<void> {
    const who = { caller, address }
    switch (step.type) {
      case 'abort':
        await act(who, { type: 'task', verb: 'abort', task: step.task, project: projectId })
        return
      case 'job': {
        await managers.decide(caller, { projectId })
        const { command, group } = step
        const target = group === null ? { edges: [edgeId] } : { group }
        // Setting the keys needed a recent sign-in. A deck cannot provide one.
        const proved = { address, caller: { ...caller, isRecent: true } }
        await jobs.start(proved, projectId, { command, target }, undefined)
        return
      }
      // The agent changes the page without the server.
      case 'page':
        throw new AppError('KEY_WITHOUT_ACTION')
    }
  }

  /** @throws {AppError} with the reason why the key does nothing, or the error of the failed step. */
  async function run(found: FoundKey, { edgeId, address }: Agent, press: Press): Promise<void> {
    const steps = (press.isHeld ? found.key?.hold : found.key?.press) ?? []
    if (steps.length === 0) throw new AppError('KEY_WITHOUT_ACTION')
    if (found.isLocked) throw new AppError('DECK_LOCKED')
    const { projectId } = found
    const person = await actingPerson(found.isAgreed ? found.accountId : null)
    const roles = await keys.productRolesOf(projectId, person.personId)
    const scope = products.scopeOf(roles.map((productRole) => ({ projectId, productRole })))
    // Only grants decide, even for an account with the root flag.
    const caller = { ...person, scope, isRoot: false }
    for (const step of steps) await perform(caller, { projectId, edgeId, address }, step)
  }

  async function handle(agent: Agent, press: Press, isTooMany: boolean): Promise<void> {
    const { edgeId } = agent
    const { id, serial, page, key } = press
    let found: FoundKey | undefined
    let fault: unknown
    try {
      found = await keys.findKey({ edgeId, serial }, { page, key })
      if (isTooMany) throw new AppError('BUSY')
      if (found === undefined) throw new AppError('KEY_WITHOUT_ACTION')
      const known = found
      const deck = { deck: serial, edge: known.edgeLabel }
      await runForRequest({ id: randomUUID(), trace: undefined, deck }, () => run(known, agent, press))
    } catch (error) {
      fault = error
    }
    await record(agent, press, found, fault)
    await gateway.send(edgeId, { type: 'pressed', id, isDone: fault === undefined })
  }

  async function record(
    { edgeId, address }: Agent,
    { serial, page, key, isHeld }: Press,
    found: FoundKey | undefined,
    fault: unknown,
  ): Promise<void> {
    const code = fault === undefined ? undefined : fault instanceof AppError ? fault.code : 'INTERNAL'
    const add = (more: Record<string, unknown>) =>
      audit.recordDone(log, {
        event: 'deck-key.pressed',
        result: code === undefined ? 'success' : 'failure',
        ...(found?.isAgreed === true && found.accountId !== null && { actorId: found.accountId }),
        target: edgeId,
        ...(found !== undefined && { projectId: found.projectId }),
        address,
        detail: {
          deck: serial,
          ...(found !== undefined && { edge: found.edgeLabel }),
          ...more,
          ...(code !== undefined && { code }),
        },
      })
    const deck = found === undefined ? '' : serial
    if (code !== undefined && !isFirst(`${edgeId} ${deck} ${code}`, add)) return
    if (code === 'INTERNAL') log.warn({ err: fault, edge: edgeId }, 'a key of an edge failed')
    const steps = isHeld ? found?.key?.hold : found?.key?.press
    await add({ page, key, isHeld, ...(found?.key !== undefined && { label: found.key.label, steps }) })
  }

  /** Returns whether a refusal is the first one of its kind for an hour. Counts all others. */
  function isFirst(kind: string, add: (more: Record<string, unknown>) => Promise<void>): boolean {
    const known = refusals.get(kind)
    if (known !== undefined) {
      known.count += 1
      return false
    }
    const begun: Refusals = {
      count: 0,
      timer: setTimeout(() => void begun.record(), refusalsWithin).unref(),
      async record() {
        clearTimeout(begun.timer)
        refusals.delete(kind)
        if (begun.count > 0) await add({ count: begun.count })
      },
    }
    refusals.set(kind, begun)
    return true
  }

  function isWithinRate(edgeId: string): boolean {
    const count = arrivals.get(edgeId) ?? countWithin(pressesPerSecond, 1000)
    // Keeps the order of last use.
    arrivals.delete(edgeId)
    arrivals.set(edgeId, count)
    const [oldest] = arrivals.keys()
    if (arrivals.size > arrivalsMost && oldest !== undefined) arrivals.delete(oldest)
    return count(performance.now())
  }

  return {
    /** Handles a press of an agent of this node, after earlier presses of the same edge. */
    press(agent: Agent, message: Press): void {
      const { edgeId } = agent
      const { count, last } = waiting.get(edgeId) ?? { count: 0, last: Promise.resolve() }
      const isTooMany = !isWithinRate(edgeId) || count >= waitingMost
      const before = isTooMany ? Promise.resolve() : last
      const done = before
        .then(() => handle(agent, message, isTooMany))
        .catch((err: unknown) => log.warn({ err, edge: edgeId }, 'the outcome of a press could not be sent'))
        .finally(() => {
          const now = waiting.get(edgeId)
          if (now === undefined || isTooMany) return
          if (now.count === 1) waiting.delete(edgeId)
          else now.count -= 1
        })
      if (!isTooMany) waiting.set(edgeId, { count: count + 1, last: done })
    },

    /** Records the refusals that were only counted. */
    async stop(): Promise<void> {
      await Promise.all([...refusals.values()].map((one) => one.record()))
    },
  }
}
