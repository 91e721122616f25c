import { type LateModule, lateModule } from '#platform/late-module.ts'
import { texts } from './login.texts.ts'

/** What comes after the username; fetched while that is typed. */
export const proof = lateModule(() => import('./Proof.tsx'))

/** Code that a step cannot go on without. */
export async function loaded<Module>(late: LateModule<Module>): Promise<Module> {
  try {
    return await late.load()
  } catch (cause) {
    throw new Error(texts.notLoaded, { cause })
  }
}
