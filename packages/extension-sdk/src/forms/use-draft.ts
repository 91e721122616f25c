import { useEffect, useRef, useState } from 'react'
import { useConsoleHostIfAny } from '../host.ts'

/**
 * Like `useState`, for typed input that is not saved yet. It survives the end of the session: when the same
 * person signs in again in this tab, even after a reload, the form has it again. The draft must be JSON.
 *
 * @param name Identifies the form in the whole console; one name always holds the same shape. Null keeps no draft: for
 * passwords, and outside the console.
 * @example const [label, setLabel] = useDraft('my-app new item', '')
 */
export function useDraft<Draft>(name: string | null, empty: Draft) {
  const drafts = useConsoleHostIfAny()?.drafts
  const [draft, setDraft] = useState(
    () => (name === null ? undefined : (drafts?.find(name) as Draft | undefined)) ?? empty,
  )
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => (name === null ? undefined : drafts?.keep(name, () => latest.current)), [drafts, name])
  return [draft, setDraft] as const
}
