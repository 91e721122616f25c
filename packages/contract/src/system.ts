import * as z from 'zod/mini'
import { instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

export const build = z.object({
  version: z.string(),
  /** When the console was built. */
  timestamp: instant,
  /** The commit it was built from; `unknown` outside of a git checkout. */
  commit: z.string(),
})
export type Build = z.infer<typeof build>

export const systemEndpoints = {
  build: endpoint('GET', '/build', { summary: 'What is running here.', reply: build }),
  live: endpoint('GET', '/health/live', {
    summary: 'Answers as long as the process does.',
    reply: z.object({ status: z.literal('ok') }),
  }),
  ready: endpoint('GET', '/health/ready', {
    summary:
      'Answers 200 while calls can be served: the database is there, its schema is this version’s, and the disk has space.',
    reply: z.object({ status: z.literal('ok') }),
  }),
  settings: endpoint('GET', '/settings/public', {
    summary: 'What the console needs to know before anybody has signed in.',
    reply: z.object({
      contactUrl: z.nullable(z.string()),
      privacyUrl: z.nullable(z.string()),
      imprintUrl: z.nullable(z.string()),
    }),
  }),
}
