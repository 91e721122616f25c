import { VisuallyHidden } from '@pult/ui'
import { useEffect, useState } from 'react'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { inWords } from './in-words.ts'
import { texts } from './login.texts.ts'

export function FailureMessage({ error }: { error: unknown }) {
  const wait = (error instanceof ApiError && error.retryAfter) || 0
  return (
    <>
      {messageOf(error)}
      {wait > 0 && (
        <>
          {'. '}
          <Countdown key={wait} seconds={wait} />
        </>
      )}
    </>
  )
}

/** Counts down visually. Screen readers announce the time once instead of every second. */
function Countdown({ seconds }: { seconds: number }) {
  const [end] = useState(() => Date.now() + seconds * 1000)
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 250)
    return () => clearInterval(timer)
  }, [end])
  return (
    <>
      <span aria-hidden="true">{left > 0 ? texts.tryAgainIn(inWords(left)) : texts.tryAgainNow}</span>
      <VisuallyHidden>{texts.tryAgainIn(inWords(seconds))}</VisuallyHidden>
    </>
  )
}
