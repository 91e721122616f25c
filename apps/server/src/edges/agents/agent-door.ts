import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AgentMessage,
  type EdgeReport,
  type EdgeServerMessage,
  edgeProtocol,
  edgeTimes,
  limits,
} from '@pult/contract'
import { WebSocketServer } from 'ws'
import type { Log } from '#platform/log.ts'
import { refuse } from '#platform/realtime/handshake.ts'
import { hashToken } from '#platform/secrets.ts'
import { type AgentSocket, agentMessageBytes, createAgentSocket } from './agent-socket.ts'

type Hello = Extract<AgentMessage, { type: 'hello' }>
type Answer = Extract<AgentMessage, { type: 'answer' }>

/** An agent that has shown its token. */
export interface Agent {
  edgeId: string
  /** Of this socket: the newest one of an edge counts, on whatever node. */
  connection: string
  /** When it was let in, by the database's clock. */
  connectedAt: string
  tokenHash: Buffer
  version: string
  run: string
  report: EdgeReport | null
  /** When the last report came, by `performance.now()`. */
  heardAt: number
  /** There is something that the database does not know yet. */
  isDirty: boolean
  /** The database does not know of this connection yet. */
  isNew: boolean
}

/** The edge that a token is of. */
export interface FoundEdge {
  edgeId: string
  label: string
  /** By the database's clock, to its last digit. */
  foundAt: string
}

interface AgentDoorParts {
  findByToken: (tokenHash: Buffer) => Promise<FoundEdge | undefined>
  onAnswer: (agent: Agent, answer: Answer) => Promise<void>
  /** A report has come: the one before is given with it. */
  onReport: (agent: Agent, before: EdgeReport | null) => void
  log: Log
  /** Half of the milliseconds after which an agent that says nothing at all is dropped. */
  beat?: number
}

/** Before `hello`, of one node: more than a fleet that comes back at once. */
const strangersMost = 2000

const closeTimeout = 1000

/** The agents that are connected to this node. */
export function createAgentDoor({ findByToken, onAnswer, onReport, log, beat = 20_000 }: AgentDoorParts) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: agentMessageBytes,
    maxFragments: 64,
    perMessageDeflate: false,
  })
  const all = new Set<AgentSocket>()
  const byEdge = new Map<string, { socket: AgentSocket; agent: Agent }>()
  let strangers = 0
  const beatTimer = setInterval(keepAlive, beat).unref()

  /** A browser always says where its page is from; no page has anything to do here. */
  function open(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    if (request.headers.origin !== undefined) return refuse(duplex, 'FORBIDDEN')
    if (strangers >= strangersMost) return refuse(duplex, 'BUSY')
    sockets.handleUpgrade(request, duplex, head, (ws) => {
      strangers += 1
      const stopWaiting = once(() => {
        strangers -= 1
        clearTimeout(timer)
      })
      let agent: Agent | null = null
      const greet = async (hello: Hello) => {
        agent = await welcome(socket, hello)
      }
      const socket = createAgentSocket({
        ws,
        onMessage: (message) => {
          if (agent !== null) return hear(agent, message)
          stopWaiting()
          return message.type === 'hello' ? greet(message) : socket.close('unauthenticated')
        },
        onClose: () => {
          stopWaiting()
          all.delete(socket)
          if (agent !== null && byEdge.get(agent.edgeId)?.socket === socket) byEdge.delete(agent.edgeId)
        },
        onFault: (err) => log.warn({ err }, 'a message of an edge failed'),
      })
      const timer = setTimeout(() => socket.close('unauthenticated'), limits.socketAuthentication)
      all.add(socket)
    })
  }

  /** Answers the agent that has come; null when it is not let in. */
  async function welcome(
    socket: AgentSocket,
    { protocol, token, version, run }: Hello,
  ): Promise<Agent | null> {
    const tokenHash = hashToken(token)
    const isKnown = protocol === edgeProtocol
    const found = isKnown ? await findByToken(tokenHash) : undefined
    if (found === undefined) socket.close(isKnown ? 'unauthenticated' : 'protocol')
    if (found === undefined || !socket.isOpen()) return null
    const { edgeId, label, foundAt: connectedAt } = found
    byEdge.get(edgeId)?.socket.close('replaced')
    const connection = randomUUID()
    const heardAt = performance.now()
    const state = { report: null, heardAt, isDirty: true, isNew: true }
    const agent: Agent = { edgeId, connection, connectedAt, tokenHash, version, run, ...state }
    byEdge.set(edgeId, { socket, agent })
    void socket.send({ type: 'welcome', label, reportEvery: edgeTimes.report })
    return agent
  }

  async function hear(agent: Agent, message: AgentMessage): Promise<void> {
    if (message.type === 'answer') return onAnswer(agent, message)
    if (message.type === 'hello') return
    const before = agent.report
    agent.report = message.report
    agent.heardAt = performance.now()
    agent.isDirty = true
    onReport(agent, before)
  }

  /** Agents report and ping by themselves: one that does neither is gone. */
  function keepAlive(): void {
    for (const socket of all) if (socket.silence() > beat * 2) socket.drop()
  }

  const current = (agent: Agent) => byEdge.get(agent.edgeId)?.agent === agent

  return {
    open,

    agents: (): Agent[] => [...byEdge.values()].map(({ agent }) => agent),

    /** Undefined when the edge's agent is not on this node; otherwise resolves when the message has left. */
    send: (edgeId: string, message: EdgeServerMessage): Promise<void> | undefined =>
      byEdge.get(edgeId)?.socket.send(message),

    reportOf: (edgeId: string): EdgeReport | null => byEdge.get(edgeId)?.agent.report ?? null,

    /** Ends a connection that the database knows to be none of the edge's any more. */
    end(agent: Agent, reason: 'unauthenticated' | 'replaced'): void {
      if (current(agent)) byEdge.get(agent.edgeId)?.socket.close(reason)
    },

    /** The edge may have another token since: its agent may be gone, or the one that has come with that token. */
    async checkToken(edgeId: string): Promise<void> {
      const there = byEdge.get(edgeId)
      if (there === undefined || (await findByToken(there.agent.tokenHash)) !== undefined) return
      there.socket.close('unauthenticated')
    },

    /** Accepts no more agents and sends away those that are there. */
    async close(): Promise<void> {
      clearInterval(beatTimer)
      for (const socket of all) socket.close('goingAway')
      const closed = new Promise<void>((done) => sockets.close(() => done()))
      const isEmpty = (async () => {
        while (all.size > 0) await sleep(10)
      })()
      await Promise.race([Promise.all([closed, isEmpty]), sleep(closeTimeout, undefined, { ref: false })])
      for (const socket of all) socket.drop()
    },
  }
}
export type AgentDoor = ReturnType<typeof createAgentDoor>

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
