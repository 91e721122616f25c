import { useEffect, useRef, useState } from 'react'

export type Outcome<Answer> = { answer: Answer } | { error: unknown }

/** Milliseconds. What is over sooner is drawn once, as what came of it. */
const unnoticed = 50

interface Attempt<Name> {
  name: Name
  controller: AbortController
}

/**
 * What a step asks of the server or of the browser, one thing at a time. Another attempt takes the place of the one before;
 * the same once more, before its button tells that it runs, does nothing. Who leaves the step hears no more of either.
 */
export function useAttempt<Name extends string>() {
  const [pending, setPending] = useState<Name | null>(null)
  const current = useRef<Attempt<Name>>(null)
  const leave = () => {
    current.current?.controller.abort()
    current.current = null
  }
  useEffect(() => leave, [])

  /** Null when it does not count any more. */
  const attempt = async <Answer>(
    name: Name,
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Outcome<Answer> | null> => {
    if (current.current?.name === name) return null
    leave()
    const controller = new AbortController()
    current.current = { name, controller }
    const { signal } = controller
    const shown = setTimeout(() => {
      if (!signal.aborted) setPending(name)
    }, unnoticed)
    const outcome = await ask(signal).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    clearTimeout(shown)
    if (signal.aborted) return null
    current.current = null
    setPending(null)
    return outcome
  }
  return { pending, attempt }
}
