import * as z from 'zod/mini'
import { instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

export const build = z.object({
  version: z.string(),
  /** When the console was built. */
  timestamp: instant,
  /** Commit of the build; `unknown` outside a git checkout. */
  commit: z.string(),
})
export type Build = z.infer<typeof build>

export const systemEndpoints = {
  build: endpoint('GET', '/build', {
    summary: 'Returns the version, commit and time of the running build.',
    reply: build,
  }),
  live: endpoint('GET', '/health/live', {
    summary: 'Returns 200 while the process is alive.',
    reply: z.object({ status: z.literal('ok') }),
  }),
  ready: endpoint('GET', '/health/ready', {
    summary:
      'Returns 200 while sign-in, writing and background work all work on this server; otherwise 503 or 507.',
    reply: z.object({ status: z.literal('ok') }),
  }),
  settings: endpoint('GET', '/settings/public', {
    summary: 'Returns the settings that the console needs before sign-in.',
    reply: z.object({
      contactUrl: z.nullable(z.string()),
      privacyUrl: z.nullable(z.string()),
      imprintUrl: z.nullable(z.string()),
    }),
  }),
}
