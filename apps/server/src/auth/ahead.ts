import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, extensionEndpoints, meEndpoints, projectEndpoints, settingsEndpoints } from '@pult/contract'
import type { FastifyRequest } from 'fastify'

/** What may be asked with a sign-in: with what a console begins. None of it is long, and none changes anything. */
const askable = [
  projectEndpoints.list,
  projectEndpoints.read,
  extensionEndpoints.probe,
  meEndpoints.read,
  settingsEndpoints.read,
].map(({ path }) => new RegExp(`^${apiBase}${path.replace(/:\w+/g, '[\\w-]+')}(?:\\?[\\w=&-]*)?$`))

/** The sign-in waits no longer for what was asked with it. Milliseconds. */
const patience = 300

/**
 * Answers a sign-in together with what was asked with it. Each question goes the whole way of a call with the new token, so
 * that it is permitted, limited and written down like any other.
 */
export async function withAhead<Answer extends object>(
  request: FastifyRequest,
  answer: Answer & { token?: string | undefined },
  asked: readonly string[] = [],
): Promise<Answer & { ahead?: Record<string, unknown> }> {
  const { token } = answer
  const addresses = asked.filter((address) => askable.some((path) => path.test(address)))
  if (token === undefined || addresses.length === 0) return answer
  const ahead: Record<string, unknown> = {}
  const asking = [...new Set(addresses)].map(async (address) => {
    const { statusCode, body } = await request.server.inject({
      method: 'GET',
      url: address,
      remoteAddress: request.ip,
      headers: { ...passedOn(request), authorization: `Bearer ${token}`, accept: 'application/json' },
    })
    if (statusCode === 200) ahead[address] = JSON.parse(body)
  })
  await Promise.race([Promise.allSettled(asking), sleep(patience, undefined, { ref: false })])
  return { ...answer, ahead: { ...ahead } }
}

/** What the answers, or what is written down of them, depend on. */
function passedOn({ headers }: FastifyRequest): Record<string, string> {
  const names = ['host', 'user-agent', 'accept-language'] as const
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  ) as Record<string, string>
}
