import { type Endpoint, type ErrorCode, errors } from '@pult/contract'
import { ApiError } from '../api-error.ts'

/** A call that an app made while a test ran. */
export interface RecordedCall {
  /** `GET /projects/:projectId/notes` */
  name: string
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  /** The revision that a change was made from. */
  revision: number | undefined
}

/** Makes an answer of the call, at once or later. */
export type Answer = (call: RecordedCall) => unknown

/**
 * Answers to calls by the endpoint's method and path: a value, or a function of the call. A value must match the
 * endpoint's declaration, as a server's answer would. Throw a {@link failure} to answer with an error.
 *
 * @example { 'GET /projects/:projectId/notes': { items: [], total: 0 }, 'DELETE /projects/:projectId': () => { throw failure('FORBIDDEN') } }
 */
export type ApiAnswers = Readonly<Record<string, Answer | object | string | number | boolean | null>>

/** An error as the API answers it, with the message that the contract has for the code. */
export function failure(code: ErrorCode, facts: { issues?: ApiError['issues'] } = {}): ApiError {
  return new ApiError({ code, ...errors[code], ...facts })
}

interface CallInput {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  revision?: number
}

/** Creates the API calls of a test. Each is recorded, checked against its endpoint and answered by the first matching source. */
export function createCalls(sources: readonly ApiAnswers[]) {
  const calls: RecordedCall[] = []
  const answers = new Map(sources.toReversed().flatMap((source) => Object.entries(source)))

  async function answer(made: RecordedCall): Promise<unknown> {
    if (!answers.has(made.name))
      throw new Error(`Nothing answers ${made.name}: add it to the api of renderApp`)
    const found = answers.get(made.name)
    return typeof found === 'function' ? await (found as Answer)(made) : found
  }

  return {
    calls,
    async call(endpoint: Endpoint, input: CallInput = {}): Promise<unknown> {
      const made = record(`${endpoint.method} ${endpoint.path}`, input)
      return declared(endpoint, made.name, await answer({ ...made, body: accepted(endpoint, made.body) }))
    },
    /** Answers about files, which no endpoint declares. */
    upload: async (path: string, file: Blob): Promise<unknown> =>
      answer(record(`PUT ${path}`, { body: file })),
    async download({ method, path }: Endpoint, input: CallInput = {}): Promise<void> {
      await answer(record(`${method} ${path}`, input))
    },
  }

  function record(name: string, { params = {}, query = {}, body, revision }: CallInput): RecordedCall {
    const made = { name, params, query, body, revision }
    calls.push(made)
    return made
  }
}

/** A server refuses what an endpoint does not take. */
function accepted({ body: schema }: Endpoint, body: unknown): unknown {
  if (schema === undefined) return body
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'number' ? part : String(part))),
    message,
  }))
  throw failure('VALIDATION_FAILED', { issues })
}

/** An answer that no server would give tests nothing. */
function declared({ reply }: Endpoint, name: string, answer: unknown): unknown {
  const parsed = reply.safeParse(answer)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`The answer to ${name} is not what the endpoint declares: ${faults.join('; ')}`)
}
