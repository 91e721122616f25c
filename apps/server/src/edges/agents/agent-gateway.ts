import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AgentMessage,
  commonEdgeProtocol,
  type EdgeMachine,
  type EdgeReport,
  type EdgeServerMessage,
  edgeTimes,
  limits,
  type RefusedPart,
} from '@pult/contract'
import { WebSocketServer } from 'ws'
import { networkOf } from '#platform/http/client-address.ts'
import type { Log } from '#platform/log.ts'
import { refuse } from '#platform/realtime/handshake.ts'
import { createStrangers, type StrangersLimits } from '#platform/realtime/strangers.ts'
import { hashToken } from '#platform/secrets.ts'
import { type AgentSocket, agentMessageBytes, createAgentSocket } from './agent-socket.ts'

type Hello = Extract<AgentMessage, { type: 'hello' }>
type Answer = Extract<AgentMessage, { type: 'answer' }>
type LogAnswer = Extract<AgentMessage, { type: 'log' }>
type Report = Extract<AgentMessage, { type: 'report' }>
type Press = Extract<AgentMessage, { type: 'press' }>

/** An authenticated agent. */
export interface Agent {
  edgeId: string
  /** The id of this socket. On all nodes, the newest socket of an edge is the current one. */
  connection: string
  /** The order in which connections were accepted, on all nodes. */
  number: number
  tokenHash: Buffer
  /** Address of the network client. */
  address: string
  version: string
  run: string
  report: EdgeReport | null
  /** The time of the last report, by `performance.now()`. */
  reportedAt: number
  /** Whether a report is waiting to be written. */
  isDirty: boolean
  /** Whether the database does not yet have this connection. */
  isNew: boolean
  /** The first field of its last message that did not fit, while none has been accepted since. */
  refusal?: string | undefined
}

/** The edge that a token belongs to. */
export interface FoundEdge {
  edgeId: string
  label: string
  /** The order in which connections were accepted, on all nodes. */
  number: number
  /** The proof of the enrolment that the agent stores. */
  enrolment: string
}

/** The data with which a connecting agent identifies itself. */
export interface Arrival {
  tokenHash: Buffer
  /** Undefined for an agent of an earlier release, whose machine is not compared. */
  machine: EdgeMachine | undefined
  version: string
  address: string
  /** The proof of an enrolment by this installation. */
  enrolment: string | undefined
}

interface AgentGatewayParts {
  /** Decides about a connecting agent: returns its edge, `waiting` for a later attempt, or nothing for a refusal. */
  admit: (arrival: Arrival) => Promise<FoundEdge | 'waiting' | undefined>
  /** The address of the client behind trusted proxies. */
  addressOf: (request: IncomingMessage) => string
  strangersMax: StrangersLimits
  /** Returns the edge with this token. */
  findByToken: (tokenHash: Buffer) => Promise<{ edgeId: string } | undefined>
  onAnswer: (agent: Agent, answer: Answer) => Promise<void>
  onLog: (agent: Agent, answer: LogAnswer) => Promise<void> | void
  onPress: (agent: Agent, press: Press) => void
  /** Called for each report, with the previous one. */
  onReport: (agent: Agent, before: EdgeReport | null, message: Report) => void
  /** Called if two processes take turns as one edge, such as those of a machine and its copy with the same hardware. */
  onTwins: (edgeId: string, addresses: readonly [string, string]) => void
  log: Log
  /** Half of the time in milliseconds after which a silent agent is disconnected. */
  beat?: number
  /** Milliseconds until an agent must have sent its token. */
  authenticateWithin?: number
}

const closeTimeout = 1000

/** An agent that sends pings this long after its last report is connected, but does not report. Milliseconds. */
const silentAfter = edgeTimes.report * 2

/** Pings of an agent arrive every 15 s. An agent that sends none for longer may be gone. */
const contactWithin = 30_000

/** A socket that is replaced this soon after a message, by another process, probably belongs to another machine. */
const twinWithin = 10_000
/** Twins replace each other again within this time: their pauses grow to an hour. */
const twinAgainWithin = 2 * 3_600_000
/** Maximum number of edges whose last replacement is remembered. */
const replacedMost = 10_000

/** Maximum number of remembered refusals, over all edges. Afterwards they are logged again. */
const refusalsMost = 10_000

/** Accepts the sockets of agents and holds the agents connected to this node. */
export function createAgentGateway({
  admit,
  addressOf,
  strangersMax,
  findByToken,
  onAnswer,
  onLog,
  onPress,
  onReport,
  onTwins,
  log,
  beat = 20_000,
  authenticateWithin = limits.socketAuthentication,
}: AgentGatewayParts) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: agentMessageBytes,
    maxFragments: 64,
    perMessageDeflate: false,
  })
  const all = new Set<AgentSocket>()
  const byEdge = new Map<string, { socket: AgentSocket; agent: Agent }>()
  const strangers = createStrangers(strangersMax)
  /** Edges with the fields that did not fit. Each is logged once, because an agent reports every 5 s. */
  const refusals = new Set<string>()
  /** The fields of which agents of protocol 2 know that they did not fit. */
  const informed = new WeakMap<Agent, Set<string>>()
  /** When the live socket of another process was replaced last, by edge. */
  const replaced = new Map<string, number>()
  const beatTimer = setInterval(keepAlive, beat).unref()

  /** Rejects browsers, which always send the origin of their page. No web page may act as an agent. */
  function open(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    if (request.headers.origin !== undefined) return refuse(duplex, 'FORBIDDEN')
    const address = addressOf(request)
    const network = networkOf(address)
    if (!strangers.admits(network)) return refuse(duplex, 'BUSY')
    sockets.handleUpgrade(request, duplex, head, (ws) => {
      let agent: Agent | null = null
      let hasSpoken = false
      const greet = async (hello: Hello) => {
        agent = await welcome(socket, hello, address)
        if (agent !== null) strangers.remove(stranger)
      }
      const socket = createAgentSocket({
        ws,
        onRefused: (parts) => {
          if (agent !== null) noteRefused(socket, agent, parts)
        },
        onMessage: (message) => {
          if (agent !== null) return receive(agent, message)
          hasSpoken = true
          clearTimeout(timer)
          return message.type === 'hello' ? greet(message) : socket.close('unauthenticated')
        },
        onClose: () => {
          clearTimeout(timer)
          strangers.remove(stranger)
          all.delete(socket)
          if (agent !== null && byEdge.get(agent.edgeId)?.socket === socket) byEdge.delete(agent.edgeId)
        },
        onFault: (err) => log.warn({ err }, 'a message of an edge failed'),
      })
      // The greeting may be lost, or this process stood still. The token may be valid.
      const timer = setTimeout(() => socket.close('tryAgainLater'), authenticateWithin)
      // A refused socket stays counted until its client has confirmed the close.
      const stranger = { network, isIdle: () => !hasSpoken || !socket.isOpen(), drop: socket.drop }
      strangers.add(stranger)
      all.add(socket)
    })
  }

  /** Authenticates a connecting agent. Returns null if it is refused. */
  async function welcome(
    socket: AgentSocket,
    {
      protocol: newest,
      protocols = { min: newest, max: newest },
      token,
      version,
      run,
      machine,
      enrolment,
    }: Hello,
    address: string,
  ): Promise<Agent | null> {
    const tokenHash = hashToken(token)
    const protocol = commonEdgeProtocol(protocols)
    const isKnown = protocol !== undefined
    const found = isKnown ? await admit({ tokenHash, machine, version, address, enrolment }) : undefined
    if (found === undefined) socket.close(isKnown ? 'unauthenticated' : 'protocol')
    if (found === 'waiting') socket.close('waiting')
    if (found === undefined || found === 'waiting' || !socket.isOpen()) return null
    const { edgeId, label, number, enrolment: proof } = found
    replace(edgeId, { run, address })
    const connection = randomUUID()
    const reportedAt = performance.now()
    const state = { report: null, reportedAt, isDirty: true, isNew: true }
    const agent: Agent = { edgeId, connection, number, tokenHash, address, version, run, ...state }
    byEdge.set(edgeId, { socket, agent })
    // An agent of protocol 1 rejects a message with a field that it does not know.
    const chosen = isKnown && protocol > 1 ? { protocol, enrolment: proof } : {}
    if ('protocol' in chosen) informed.set(agent, new Set())
    void socket.send({ type: 'welcome', label, reportEvery: edgeTimes.report, ...chosen })
    return agent
  }

  /** Closes the socket of an edge that another one replaces. It may be dead without a sign of it. */
  function replace(edgeId: string, { run, address }: Pick<Agent, 'run' | 'address'>): void {
    const former = byEdge.get(edgeId)
    if (former === undefined) return
    byEdge.delete(edgeId)
    const { socket, agent } = former
    // The machine of an agent that was killed closes its socket.
    const isTwin = socket.isOpen() && socket.silence() < twinWithin && agent.run !== run
    socket.close('replaced')
    if (!isTwin) return
    const now = performance.now()
    if (now - (replaced.get(edgeId) ?? -Infinity) < twinAgainWithin) onTwins(edgeId, [agent.address, address])
    if (replaced.size >= replacedMost) replaced.clear()
    replaced.set(edgeId, now)
  }

  /** Logs the fields of a message that did not fit, and informs the agent, each once. */
  function noteRefused(socket: AgentSocket, agent: Agent, parts: readonly RefusedPart[]): void {
    const { edgeId, version } = agent
    const known = informed.get(agent)
    const others = parts.filter(({ path, rule }) => known?.has(`${path} ${rule}`) === false)
    for (const { path, rule } of others) known?.add(`${path} ${rule}`)
    if (others.length > 0) void socket.send({ type: 'refused', parts: others })
    agent.refusal = parts.map(({ path, rule }) => `${path}: ${rule}`)[0]
    for (const { path, rule } of parts) {
      const key = `${edgeId} ${path} ${rule}`
      if (refusals.has(key)) continue
      if (refusals.size >= refusalsMost) refusals.clear()
      refusals.add(key)
      log.warn({ edge: edgeId, version, field: path, rule }, 'a message of an edge does not fit')
    }
  }

  async function receive(agent: Agent, message: AgentMessage): Promise<void> {
    if (message.type === 'answer') return onAnswer(agent, message)
    if (message.type === 'log') return onLog(agent, message)
    if (message.type === 'press') return onPress(agent, message)
    if (message.type === 'hello') return
    const before = agent.report
    agent.report = message.report
    agent.refusal = undefined
    agent.reportedAt = performance.now()
    agent.isDirty = true
    onReport(agent, before, message)
  }

  /** Closes sockets of silent agents. A live agent sends reports and pings regularly. */
  function keepAlive(): void {
    for (const socket of all) if (socket.silence() > beat * 2) socket.drop()
  }

  const current = (agent: Agent) => byEdge.get(agent.edgeId)?.agent === agent

  return {
    open,

    agents: (): Agent[] => [...byEdge.values()].map(({ agent }) => agent),

    /**
     * Undefined if the edge's agent is not connected to this node; otherwise resolves when the message has been sent.
     */
    send: (edgeId: string, message: EdgeServerMessage): Promise<void> | undefined =>
      byEdge.get(edgeId)?.socket.send(message),

    /** The agents that are connected to this node and send pings, but have not reported for a while. */
    silent: (): Agent[] =>
      [...byEdge.values()].flatMap(({ socket, agent }) => {
        const silence = socket.silence()
        const contactAfterReport = performance.now() - silence - agent.reportedAt
        return socket.isOpen() && silence < contactWithin && contactAfterReport >= silentAfter ? [agent] : []
      }),

    reportOf: (edgeId: string): EdgeReport | null => byEdge.get(edgeId)?.agent.report ?? null,

    /** Confirms to an agent that its samples are in the database, if it is still connected. */
    confirmSamples(agent: Agent, until: number): void {
      if (current(agent)) void byEdge.get(agent.edgeId)?.socket.send({ type: 'kept', until })
    },

    /** Closes a connection that the database no longer assigns to the edge. */
    end(agent: Agent, reason: 'unauthenticated' | 'replaced'): void {
      if (current(agent)) byEdge.get(agent.edgeId)?.socket.close(reason)
    },

    /** Closes the connection of an edge whose agent has connected to another node since. */
    replacedElsewhere(edgeId: string, by: Pick<Agent, 'number' | 'run' | 'address'>): void {
      const there = byEdge.get(edgeId)
      if (there !== undefined && there.agent.number < by.number) replace(edgeId, by)
    },

    /** Checks the token again after it may have changed. The agent may hold the old token or already the new one. */
    async checkToken(edgeId: string): Promise<void> {
      const there = byEdge.get(edgeId)
      if (there === undefined || (await findByToken(there.agent.tokenHash)) !== undefined) return
      there.socket.close('unauthenticated')
    },

    /** Refuses new agents and disconnects all others. */
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
export type AgentGateway = ReturnType<typeof createAgentGateway>
