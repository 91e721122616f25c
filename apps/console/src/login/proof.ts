import { type LateModule, lateModule } from '#platform/late-module.ts'
import { texts } from './login.texts.ts'

/** The step after the username. Loads while the user types the username. */
export const proof = lateModule(() => import('./Proof.tsx'))

/** Loads code that a step requires. */
export async function loaded<Module>(late: LateModule<Module>): Promise<Module> {
  try {
    return await late.load()
  } catch (cause) {
    throw new Error(texts.notLoaded, { cause })
  }
}
