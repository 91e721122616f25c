import { apiBase, type BodyOf, type Endpoint, type ParamsOf, type ReplyOf } from '@pult/contract'
import { Pool } from 'undici'

export interface Answer {
  status: number
  text: string
  /** Milliseconds from sending the request to the last byte of the response. */
  milliseconds: number
}

/** Milliseconds without a response or further data. */
const patience = 30_000

export interface CallOptions {
  /** The default is GET without a body and POST with one. */
  method?: 'POST' | 'PUT' | 'DELETE'
  body?: unknown
  token?: string
}

export interface Client {
  call(path: string, options?: CallOptions): Promise<Answer>
  close(): void
}

/**
 * Makes calls over a limited number of persistent connections. Its own overhead is small and part of the measured
 * time.
 */
export function createClient(url: string, connections: number): Client {
  const pool = new Pool(url, { connections, headersTimeout: patience, bodyTimeout: patience })
  return {
    call: (path, { method, body, token } = {}) =>
      new Promise((resolve, reject) => {
        const sent = body === undefined ? null : JSON.stringify(body)
        const headers: Record<string, string> = {}
        if (sent !== null) headers['content-type'] = 'application/json'
        if (token !== undefined) headers['authorization'] = `Bearer ${token}`
        const chunks: Buffer[] = []
        let status = 0
        const begin = performance.now()
        pool.dispatch(
          { path, method: method ?? (sent === null ? 'GET' : 'POST'), headers, body: sent },
          {
            onRequestStart() {},
            onResponseStart(_controller, statusCode) {
              status = statusCode
            },
            onResponseData(_controller, chunk) {
              chunks.push(chunk)
            },
            onResponseEnd() {
              const milliseconds = performance.now() - begin
              resolve({ status, text: Buffer.concat(chunks).toString(), milliseconds })
            },
            onResponseError(_controller, error) {
              reject(error)
            },
          },
        )
      }),
    close: () => void pool.destroy(),
  }
}

/** Makes one API call that prepares a measurement. */
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
    const answer = await client.call(apiBase + path, {
      body,
      ...(endpoint.method === 'POST' && { method: 'POST' as const }),
      ...(token !== undefined && { token }),
    })
    if (answer.status !== 200) throw new Error(`${endpoint.path} answered ${answer.status}: ${answer.text}`)
    return endpoint.reply.parse(JSON.parse(answer.text)) as ReplyOf<E>
  } finally {
    client.close()
  }
}
