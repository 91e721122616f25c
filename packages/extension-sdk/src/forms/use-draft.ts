import { useEffect, useRef, useState } from 'react'
import { useConsoleHost } from '../host.ts'

/**
 * Like `useState`, for what is typed and not saved yet. It outlives a session that ends under the person's hands: when the
 * same person signs in again on this page, the form has it again.
 *
 * @param name Names the form in the whole console; the same name always holds the same shape.
 * @example const [label, setLabel] = useDraft('my-app new item', '')
 */
export function useDraft<Draft>(name: string, empty: Draft) {
  const { drafts } = useConsoleHost()
  const [draft, setDraft] = useState(() => (drafts.find(name) as Draft | undefined) ?? empty)
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => drafts.keep(name, () => latest.current), [drafts, name])
  return [draft, setDraft] as const
}
