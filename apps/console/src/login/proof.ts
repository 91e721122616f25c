import { foreignAnswer } from '#platform/foreign-answer.ts'
import { type LateModule, lateModule } from '#platform/late-module.ts'
import { texts } from './login.texts.ts'

/** The step after the username. Loads while the user types the username. */
export const proof = lateModule(() => import('./Proof.tsx'))

/** Loads code that a step requires. */
export async function loaded<Module>(late: LateModule<Module>): Promise<Module> {
  try {
    return await late.load()
  } catch (cause) {
    const answer = await fetch(live, { cache: 'no-store', redirect: 'manual' }).catch(() => null)
    if (answer !== null && !isOfServer(answer)) throw foreignAnswer(answer)
    throw new Error(texts.notLoaded, { cause })
  }
}

/** A failed load of code does not contain its reason. This answer shows whether a proxy requests a sign-in. */
const live = '/api/health/live'
const isOfServer = ({ headers }: Response) => /\bjson\b/.test(headers.get('content-type') ?? '')
