import { useEffect, useRef, useState } from 'react'
import { session } from './session.ts'
import { useCredentials } from './use-credentials.ts'

/** What people had typed when their session ended, until they are back. In memory alone. */
const drafts = new Map<string, unknown>()

/**
 * Like `useState`, for what is typed and not saved yet. It outlives a session that ends under the person's hands: when the
 * same person signs in again on this page, the form has it again.
 *
 * @param form Names the form; the same name always holds the same shape.
 */
export function useDraft<Draft>(form: string, empty: Draft) {
  const { _id } = useCredentials()
  const key = `${_id} ${form}`
  const [draft, setDraft] = useState(() => (drafts.get(key) as Draft | undefined) ?? empty)
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])

  useEffect(() => {
    drafts.delete(key)
    return session.subscribe(() => {
      if (session.get().status === 'signed-out') drafts.set(key, latest.current)
    })
  }, [key])

  return [draft, setDraft] as const
}
