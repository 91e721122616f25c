import { useEffect } from 'react'
import { storage } from '#platform/storage.ts'

/** All tabs of a browser work on the same project: when another one chooses a project, this page starts anew. */
export function useProjectOfOtherTabs(): void {
  useEffect(() => storage.activeProjectId.onChangeElsewhere(() => location.reload()), [])
}
