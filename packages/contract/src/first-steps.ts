import * as z from 'zod/mini'
import { id } from './collection.ts'
import { endpoint } from './endpoint.ts'

/** A record by which a step counts as done. */
const fact = z.nullable(z.object({ _id: id, label: z.string() }))

const firstSteps = z.object({
  /** A mail server is set up. */
  mail: z.boolean(),
  /** The caller's second factor: a passkey or one-time passwords. */
  secondFactor: z.nullable(z.enum(['passkey', 'otp'])),
  /** The first organisation. */
  organisation: fact,
  /** The first project with more than the products of every project. */
  project: fact,
  /** The first edge whose agent has enrolled. */
  edge: fact,
  /** The first project that uses edges, to which the first edge can be added. */
  edgeProject: z.nullable(id),
  /** The first person invited: with an account, or with an invitation that is still open. */
  invited: z.nullable(z.string()),
})
export type FirstSteps = z.infer<typeof firstSteps>

export const rootFirstStepsEndpoints = {
  read: endpoint('GET', '/apps/root/first-steps', {
    summary: 'What has been done of the first steps of a new installation, as facts.',
    reply: firstSteps,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
}
