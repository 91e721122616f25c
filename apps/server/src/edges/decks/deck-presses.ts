import type { AgentMessage, DeckAction, EdgeDeckStep } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller, Permission } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
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

/**
 * Executes presses of decks at edges for the account of the deck, under its current grants. Each press is audited with
 * its outcome.
 */
export function createDeckPresses(parts: DeckPressesParts) {
  const { db, audit, gateway, actingPerson, act, managers, products, jobs, log } = parts
  const keys = createDeckKeyRepository(db)
  const waiting = new Map<string, { count: number; last: Promise<void> }>()

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
        await jobs.start(who, projectId, { command, target }, undefined)
        return
      }
      // The agent changes the page without the server.
      case 'page':
        return
    }
  }

  /** @throws {AppError} with the reason why the key does nothing, or the error of the failed step. */
  async function run(found: FoundKey | undefined, { edgeId, address }: Agent, press: Press): Promise<void> {
    const steps = (press.isHeld ? found?.key?.hold : found?.key?.press) ?? []
    if (found === undefined || steps.length === 0) throw new AppError('KEY_WITHOUT_ACTION')
    if (found.isLocked) throw new AppError('DECK_LOCKED')
    const { projectId } = found
    const person = await actingPerson(found.accountId)
    const roles = await keys.productRolesOf(projectId, person.personId)
    const scope = products.scopeOf(roles.map((productRole) => ({ projectId, productRole })))
    // Only grants decide, even for an account with the root flag.
    const caller = { ...person, scope, isRoot: false }
    for (const step of steps) await perform(caller, { projectId, edgeId, address }, step)
  }

  async function handle(agent: Agent, press: Press, isTooMany: boolean): Promise<void> {
    const { edgeId, address } = agent
    const { id, serial, page, key, isHeld } = press
    let found: FoundKey | undefined
    let code: string | undefined
    try {
      found = await keys.findKey({ edgeId, serial }, { page, key })
      if (isTooMany) throw new AppError('BUSY')
      await run(found, agent, press)
    } catch (error) {
      code = error instanceof AppError ? error.code : 'INTERNAL'
      if (!(error instanceof AppError)) log.warn({ err: error, edge: edgeId }, 'a key of an edge failed')
    }
    await audit.recordDone(log, {
      event: 'deck-key.pressed',
      result: code === undefined ? 'success' : 'failure',
      ...(found?.accountId != null && { actorId: found.accountId }),
      target: edgeId,
      ...(found !== undefined && { projectId: found.projectId }),
      address,
      detail: {
        deck: serial,
        page,
        key,
        isHeld,
        ...(found?.key !== undefined && {
          label: found.key.label,
          steps: isHeld ? found.key.hold : found.key.press,
        }),
        ...(code !== undefined && { code }),
      },
    })
    await gateway.send(edgeId, { type: 'pressed', id, isDone: code === undefined })
  }

  /** Handles a press of an agent of this node, after earlier presses of the same edge. */
  return function press(agent: Agent, message: Press): void {
    const { edgeId } = agent
    const { count, last } = waiting.get(edgeId) ?? { count: 0, last: Promise.resolve() }
    const isTooMany = count >= waitingMost
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
  }
}
