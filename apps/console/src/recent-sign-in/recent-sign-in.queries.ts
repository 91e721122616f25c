import type { ConfirmationMethods } from '@pult/contract'
import { lateModule } from '#platform/late-module.ts'
import { Cancelled, onProofNeeded } from '#platform/recent-sign-in.ts'
import { session } from '#platform/session.ts'
import { createStore } from '#platform/store.ts'

/** A pending step-up authentication. */
export interface ProofRequest {
  /** False once it has ended, while the dialog closes. */
  open: boolean
  methods: ConfirmationMethods
  onProved: () => void
  onCancel: () => void
}

/** The current or the last request. */
export const proofRequest = createStore<ProofRequest | null>(null)

/** The dialog's code loads with the first request. */
export const recentSignInDialog = lateModule(() => import('./proof-dialog.ts'))

let asking: Promise<void> | null = null

/** Concurrent calls share one proof. */
function askForProof(): Promise<void> {
  asking ??= openDialog().finally(() => {
    asking = null
  })
  return asking
}

async function openDialog(): Promise<void> {
  const { readMethods } = await recentSignInDialog.load()
  const methods = await readMethods()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = { methods, onProved: resolve, onCancel: () => reject(new Cancelled()) }
  // The session may end while the dialog is open. The login then replaces the dialog.
  const stop = session.subscribe(() => {
    if (session.get().status !== 'signed-in') request.onCancel()
  })
  proofRequest.set({ ...request, open: true })
  try {
    await promise
  } finally {
    stop()
    proofRequest.set({ ...request, open: false })
  }
}

onProofNeeded(askForProof)
