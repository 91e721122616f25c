import { Agent, request } from 'node:http'
import { apiBase, type BodyOf, type Endpoint, type ParamsOf, type ReplyOf } from '@pult/contract'

export interface Answer {
  status: number
  text: string
  /** From sending the request to the last byte of the answer, in milliseconds. */
  milliseconds: number
}

export interface CallOptions {
  /** GET without a body and POST with one, unless it says otherwise. */
  method?: 'PUT' | 'DELETE'
  body?: unknown
  token?: string
}

export interface Client {
  call(path: string, options?: CallOptions): Promise<Answer>
  close(): void
}

/** Makes calls over connections that stay open, at most so many at once. */
export function createClient(url: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    call: (path, { method, body, token } = {}) =>
      new Promise((resolve, reject) => {
        const sent = body === undefined ? undefined : JSON.stringify(body)
        const begin = performance.now()
        const outgoing = request(`${url}${path}`, {
          agent,
          method: method ?? (sent === undefined ? 'GET' : 'POST'),
          timeout: 30_000,
          headers: {
            ...(sent !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(sent),
            }),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
        })
        outgoing.once('timeout', () => outgoing.destroy(new Error(`${path} was not answered within 30 s`)))
        outgoing.once('error', reject)
        outgoing.once('response', (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.once('error', reject)
          response.once('end', () => {
            const milliseconds = performance.now() - begin
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString(),
              milliseconds,
            })
          })
        })
        outgoing.end(sent)
      }),
    close: () => agent.destroy(),
  }
}

/** One call of the API, for what has to be there before something is measured. */
export async function callPult<E extends Endpoint>(
  url: string,
  endpoint: E,
  { params, body, token }: { params?: ParamsOf<E>; body?: BodyOf<E>; token?: string },
): Promise<ReplyOf<E>> {
  const names: Record<string, string> = params ?? {}
  const path = endpoint.path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(names[name] ?? ''),
  )
  const client = createClient(url, 1)
  try {
    const answer = await client.call(apiBase + path, { body, ...(token !== undefined && { token }) })
    if (answer.status !== 200) throw new Error(`${endpoint.path} answered ${answer.status}: ${answer.text}`)
    return endpoint.reply.parse(JSON.parse(answer.text)) as ReplyOf<E>
  } finally {
    client.close()
  }
}
