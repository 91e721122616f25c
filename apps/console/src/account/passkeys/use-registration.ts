import type { RegistrationOptions } from '@pult/contract'
import { useEffect, useRef, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { isCancelled } from '#platform/recent-sign-in.ts'
import { abandonCeremony, createPasskey, explain, isAbandoned, NeedsPress, webAuthn } from './ceremony.ts'
import { readRegistrationOptions, useAddPasskey } from './passkeys.queries.ts'
import { texts } from './passkeys.texts.ts'

export interface Registration {
  /** Resolves with whether the passkey was added. The user has already been notified of errors. */
  register: (label: string) => Promise<boolean>
  isPending: boolean
  /** The browser requires another user gesture before it continues. */
  needsPress: boolean
}

/** Runs a registration from the device's label to the passkey in the list. */
export function useRegistration(): Registration {
  const { mutateAsync: add } = useAddPasskey()
  const [isPending, setPending] = useState(false)
  /** The options that the next press uses. */
  const [prepared, setPrepared] = useState<RegistrationOptions | null>(null)
  // The browser must not prompt after the user has left the page.
  const hasLeft = useRef(false)
  useEffect(() => {
    hasLeft.current = false
    return () => {
      hasLeft.current = true
      abandonCeremony()
    }
  }, [])

  const run = async (label: string) => {
    const [options] = await Promise.all([prepared ?? readRegistrationOptions(), webAuthn.load()])
    if (hasLeft.current) return false
    setPrepared(null)
    try {
      const result = await createPasskey(options)
      await add({ label, result })
    } catch (error) {
      if (!(error instanceof NeedsPress) || prepared !== null) throw error
      // A dialog or a slow response came between the user gesture and the browser's prompt.
      setPrepared(options)
      return false
    }
    notify.success(texts.added)
    return true
  }

  const register = async (label: string) => {
    setPending(true)
    try {
      return await run(label)
    } catch (error) {
      if (!isCancelled(error) && !isAbandoned(error)) notify.error(texts.error, explain(error))
      return false
    } finally {
      setPending(false)
    }
  }

  return { register, isPending, needsPress: prepared !== null }
}
