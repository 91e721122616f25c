import { randomUUID } from 'node:crypto'
import {
  type AgentMessage,
  apiBase,
  type EdgeMachine,
  type EdgeReport,
  type EdgeServerMessage,
  edgeProtocols,
  edgeServerMessage,
  edgeSocketPath,
} from '@pult/contract'
import { type ClientOptions, WebSocket } from 'ws'

export const someReport = (changes: Partial<EdgeReport> = {}): EdgeReport => ({
  hostname: 'edge-1',
  platform: 'linux x64',
  load: [0.4, 0.3, 0.2],
  cores: 4,
  memory: { total: 8e9, free: 3e9 },
  disk: { total: 64e9, free: 40e9 },
  addresses: ['192.168.1.20'],
  uptime: 3600,
  agentUptime: 60,
  decks: { driver: 'missing', reason: 'not installed', devices: [] },
  instances: [],
  ...changes,
})

export interface VirtualAgentOptions extends ClientOptions {
  token?: string
  /** The protocols that the agent supports; a number for an agent without a range. */
  speaks?: number | { min: number; max: number }
  path?: string
  run?: string
  version?: string
  machine?: EdgeMachine
  /** The proof of the enrolment from an earlier welcome. */
  enrolment?: string
}

/**
 * Connects as an agent to a real server. Resolves when the handshake is complete, with any result.
 */
export async function connectAgent(url: string, options: VirtualAgentOptions = {}) {
  const {
    token,
    speaks = edgeProtocols,
    path = apiBase + edgeSocketPath,
    run = randomUUID(),
    version = '1.2.3',
    machine,
    enrolment,
    ...more
  } = options
  const ws = new WebSocket(url.replace(/^http/, 'ws') + path, { perMessageDeflate: false, ...more })
  const messages: EdgeServerMessage[] = []
  /** The messages as they arrived. */
  const texts: string[] = []
  ws.on('message', (data) => {
    const text = (data as Buffer).toString()
    texts.push(text)
    messages.push(edgeServerMessage.parse(JSON.parse(text)))
  })
  ws.on('error', () => {})
  const closed = new Promise<number>((resolve) => {
    ws.on('close', resolve)
  })
  const status = await new Promise<number>((resolve) => {
    ws.on('open', () => resolve(101))
    ws.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0)
      response.resume()
    })
    ws.on('close', () => resolve(0))
  })
  const send = (message: AgentMessage) => ws.send(JSON.stringify(message))
  if (token !== undefined && status === 101)
    send({
      type: 'hello',
      ...(typeof speaks === 'number' ? { protocol: speaks } : { protocol: speaks.max, protocols: speaks }),
      token,
      version,
      run,
      ...(machine !== undefined && { machine }),
      ...(enrolment !== undefined && { enrolment }),
    })
  return {
    ws,
    status,
    run,
    messages,
    texts,
    closed,
    send,
    isOpen: () => ws.readyState === ws.OPEN,
    report: (changes: Partial<EdgeReport> = {}) => send({ type: 'report', report: someReport(changes) }),
  }
}
export type VirtualAgent = Awaited<ReturnType<typeof connectAgent>>
