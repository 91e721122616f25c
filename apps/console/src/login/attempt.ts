import { useEffect, useRef, useState } from 'react'

export type Outcome<Answer> = { answer: Answer } | { error: unknown }

/**
 * What a step asks of the server or of the browser, one thing at a time. A new attempt takes the place of the one before;
 * who leaves the step hears no more of either.
 */
export function useAttempt<Name extends string>() {
  const [pending, setPending] = useState<Name | null>(null)
  const current = useRef<AbortController>(null)
  useEffect(() => () => current.current?.abort(), [])

  /** Null when it does not count any more. */
  const attempt = async <Answer>(
    name: Name,
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Outcome<Answer> | null> => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    setPending(name)
    const outcome = await ask(controller.signal).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if (controller.signal.aborted) return null
    setPending(null)
    return outcome
  }
  return { pending, attempt }
}
