import {
  apiBase,
  type BodyOf,
  type Endpoint,
  type ErrorCode,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '@pult/contract'

export interface CallInput<E extends Endpoint> {
  params?: ParamsOf<E>
  query?: QueryOf<E>
  /** Body of the contract, or any object for a test of a rejected body. */
  body?: BodyOf<E> | object
  headers?: Record<string, string>
}

export interface Answer<Reply> {
  status: number
  /** Reply of a success; `{code, message}` of an error. */
  body: Reply
  /** Code of an error; undefined after a success. */
  code: ErrorCode | undefined
  headers: Headers
}

/** Calls an endpoint of the contract over HTTP. */
export async function callEndpoint<E extends Endpoint>(
  url: string,
  token: string | undefined,
  endpoint: E,
  { params, query, body, headers }: CallInput<E> = {},
): Promise<Answer<ReplyOf<E>>> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent((params as Record<string, string> | undefined)?.[name] ?? ''),
  )
  const search =
    query === undefined ? '' : `?${new URLSearchParams(query as Record<string, string>).toString()}`
  const response = await fetch(`${url}${apiBase}${path}${search}`, {
    method: endpoint.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const answer = (await (isJson ? response.json() : response.text())) as ReplyOf<E> & { code?: ErrorCode }
  return {
    status: response.status,
    body: answer,
    code: response.ok ? undefined : answer.code,
    headers: response.headers,
  }
}
