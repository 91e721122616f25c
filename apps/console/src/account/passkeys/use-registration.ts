import type { RegistrationOptions } from '@pult/contract'
import { useEffect, useRef, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { isCancelled } from '../../recent-sign-in/recent-sign-in.queries.ts'
import { abandonCeremony, createPasskey, explain, isAbandoned, NeedsPress, webAuthn } from './ceremony.ts'
import { readRegistrationOptions, useAddPasskey } from './passkeys.queries.ts'
import { texts } from './passkeys.texts.ts'

export interface Registration {
  /** Answers whether the passkey was added; who started it has been told already. */
  register: (label: string) => Promise<boolean>
  isPending: boolean
  /** The browser wants another press before it goes on. */
  needsPress: boolean
}

/** From the device's label to its passkey in the list. */
export function useRegistration(): Registration {
  const { mutateAsync: add } = useAddPasskey()
  const [isPending, setPending] = useState(false)
  /** What the next press goes on with. */
  const [prepared, setPrepared] = useState<RegistrationOptions | null>(null)
  // Who has left the page is not asked by the browser any more.
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
      // A dialog or a slow answer came between the press and the browser's question.
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
