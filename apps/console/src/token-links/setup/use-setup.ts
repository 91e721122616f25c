import { type ReplyOf, setupEndpoints } from '@pult/contract'
import { useEffect, useState } from 'react'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'

export type MachineChecks = ReplyOf<typeof setupEndpoints.read>

/** Polling interval, by which a second visitor's page detects that a root exists. Milliseconds. */
const readEvery = 4000

/** The checks of the machine while no root exists. `over`: a root was created while the page was open. */
type SetupState = MachineChecks | 'loading' | 'set-up' | 'over'

export function useSetup(): SetupState {
  const [state, setState] = useState<SetupState>('loading')
  useEffect(() => {
    const leaving = new AbortController()
    let timer = 0
    const read = async () => {
      try {
        setState(await api(setupEndpoints.read, { signal: leaving.signal, background: true }))
      } catch (error) {
        if (leaving.signal.aborted) return
        // Without a response, the page stays as it is.
        if (error instanceof ApiError && error.code === 'NOT_FOUND')
          return setState((before) => (before === 'loading' ? 'set-up' : 'over'))
      }
      timer = window.setTimeout(() => void read(), readEvery)
    }
    void read()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [])
  return state
}
