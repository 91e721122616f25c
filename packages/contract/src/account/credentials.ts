import * as z from 'zod/mini'
import { id } from '../collection.ts'

/** The signed-in account and its scope. */
export const credentials = z.object({
  _id: id,
  /** `root` grants everything; `p-{projectId}/r-{role}` grants a role in a project. */
  scope: z.array(z.string()),
  /** The default address. */
  email: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  otpEnabled: z.boolean(),
  isRoot: z.boolean(),
})
export type Credentials = z.infer<typeof credentials>
