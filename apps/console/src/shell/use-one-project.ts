import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { hasUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { isOpeningProject } from '../projects/open-project.ts'

/**
 * A page works on one project, whose extensions it has loaded. When that one is gone, or when there was none and now is
 * one, the page starts anew; as long as something is typed and not saved, not before the person goes elsewhere.
 */
export function useOneProject(projectId: string | undefined): void {
  const begun = useRef(projectId)
  const { pathname } = useLocation()
  useEffect(() => {
    if (projectId !== begun.current && !hasUnsavedInput() && !isOpeningProject()) location.reload()
  }, [projectId, pathname])
}
