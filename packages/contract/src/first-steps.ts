import * as z from 'zod/mini'
import { id } from './collection.ts'
import { endpoint } from './endpoint.ts'

/** A record that completes a step; null until it exists. */
const fact = z.nullable(z.object({ _id: id, label: z.string() }))

const firstSteps = z.object({
  /** Whether a mail server is set up. */
  mail: z.boolean(),
  /** Whether backups have a place and run by a schedule. Older servers omit it. */
  backups: z.optional(z.boolean()),
  /** The caller's second factor: a passkey or one-time passwords. */
  secondFactor: z.nullable(z.enum(['passkey', 'otp'])),
  /** The first organisation. */
  organisation: fact,
  /** The first project with a product besides those of every project. */
  project: fact,
  /** The first edge whose agent has enrolled. */
  edge: fact,
  /** The first project that uses edges, to which an edge can be added. */
  edgeProject: z.nullable(id),
  /** The first invited user: one with an account, or with a pending invitation. */
  invited: z.nullable(z.string()),
})
export type FirstSteps = z.infer<typeof firstSteps>

export const rootFirstStepsEndpoints = {
  read: endpoint('GET', '/apps/root/first-steps', {
    summary: 'Returns which first steps of a new installation are done, as facts.',
    reply: firstSteps,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
}
