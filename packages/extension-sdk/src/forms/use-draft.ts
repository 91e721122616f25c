import { useEffect, useRef, useState } from 'react'
import { useConsoleHostIfAny } from '../host.ts'

/**
 * Works like `useState`, for typed input that is not saved yet. The draft survives the end of the session: when the
 * same user signs in again in this tab, even after a reload, the form restores it. The draft must be JSON.
 *
 * @param name Identifies the form in the whole console. Always use a name for the same shape of draft. Null keeps no
 * draft, as for passwords and outside the console.
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
