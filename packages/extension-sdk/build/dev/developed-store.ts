import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { ApiError } from '../../src/api-error.ts'
import type { Answer, ApiAnswers } from '../../src/testing/answers.ts'
import { createKeptValues } from '../../src/testing/kept-values.ts'

/** A call of the key-value store of an app. */
export interface StoreCall {
  projectId: string
  app: string
  /** Undefined for the list. */
  key: string | undefined
}

/** Returns the store call of a path, or null for other paths. */
export function storeCallOf(pathname: string): StoreCall | null {
  const [, projectId, app, key] =
    /^\/api\/projects\/([^/]+)\/apps\/([\w-]+)\/store(?:\/([^/]+))?$/.exec(pathname) ?? []
  if (projectId === undefined || app === undefined) return null
  return { projectId, app, key: key === undefined ? undefined : decodeURIComponent(key) }
}

/** Creates stores for apps that the console's server does not know. They stay in memory while Vite runs. */
export function createDevelopedStores() {
  const stores = new Map<string, ApiAnswers>()

  return async (
    request: IncomingMessage,
    { projectId, app, key }: StoreCall,
  ): Promise<{ status: number; body: unknown }> => {
    const place = `${projectId} ${app}`
    const answers = stores.get(place) ?? createKeptValues().answers
    stores.set(place, answers)
    const { method = 'GET', headers, url = '' } = request
    const name = `${method} /projects/:projectId/apps/:app/store${key === undefined ? '' : '/:key'}`
    const sent = await text(request)
    const revision = /^"(\d+)"$/.exec(headers['if-match'] ?? '')?.[1]
    try {
      const answer = answers[name] as Answer
      const body = await answer({
        name,
        params: { projectId, app, ...(key !== undefined && { key }) },
        query: Object.fromEntries(new URL(url, 'http://front').searchParams),
        body: sent === '' ? undefined : (JSON.parse(sent) as unknown),
        revision: revision === undefined ? undefined : Number(revision),
      })
      return { status: 200, body }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, body: { code: error.code, message: error.message } }
    }
  }
}
