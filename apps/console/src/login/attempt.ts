import { useEffect, useRef, useState } from 'react'

export type Outcome<Answer> = { answer: Answer } | { error: unknown }

interface Attempt<Name> {
  name: Name
  controller: AbortController
}

/**
 * Runs one request of a login step at a time. A different attempt aborts the previous one. A repeat of the running
 * attempt is ignored. Leaving the step aborts it.
 */
export function useAttempt<Name extends string>() {
  const [pending, setPending] = useState<Name | null>(null)
  const current = useRef<Attempt<Name>>(null)
  const leave = () => {
    current.current?.controller.abort()
    current.current = null
  }
  useEffect(() => leave, [])

  /** Returns null if the attempt was aborted or ignored. */
  const attempt = async <Answer>(
    name: Name,
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Outcome<Answer> | null> => {
    if (current.current?.name === name) return null
    leave()
    const controller = new AbortController()
    current.current = { name, controller }
    const { signal } = controller
    setPending(name)
    const outcome = await ask(signal).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if (signal.aborted) return null
    current.current = null
    setPending(null)
    return outcome
  }
  return { pending, attempt }
}
