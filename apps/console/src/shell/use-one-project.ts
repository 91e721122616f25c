import { useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Refused } from '#platform/access/refused.ts'
import { projectOfAddress, projectOfDocument } from '#platform/project-address.ts'
import { openDocument, storage } from '#platform/storage.ts'
import { hasUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { inProject } from '../extensions/app-address.ts'
import { isOpeningProject } from '../projects/open-project.ts'

/**
 * Binds the page to one project, whose extensions it has loaded. It reloads when that project disappears or when the
 * first one appears. With unsaved input the reload waits for the next navigation. Returns whether the URL names
 * another project, in which case the page must not show any project's content.
 */
export function useOneProject(projectId: string | undefined): boolean {
  const [initialId] = useState(projectId)
  const { pathname, key } = useLocation()
  const named = projectOfAddress()
  const isElsewhere = named !== null && named !== initialId
  useProjectOfOtherTabs()
  useOpening(isElsewhere ? named : null)

  useEffect(() => {
    if (projectId !== initialId && !hasUnsavedInput() && !isOpeningProject()) openDocument()
  }, [projectId, initialId, pathname])

  useLayoutEffect(() => {
    const here = location.pathname + location.search + location.hash
    const complete = inProject(here)
    // Bypasses the router, because no page depends on this parameter.
    if (complete !== here) history.replaceState(history.state, '', complete)
  }, [key])
  return isElsewhere
}

/** HOME-05: when another tab chooses a project, this page reloads, unless its address names its own (DEC-30). */
function useProjectOfOtherTabs(): void {
  useEffect(
    () =>
      storage.activeProjectId.onChangeElsewhere(() => {
        if (projectOfAddress() === null) openDocument()
      }),
    [],
  )
}

/** Opens the project in the URL. A document loaded for it that shows another project had no access to it. */
function useOpening(named: string | null): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (named === null) return
    if (named !== projectOfDocument) return openDocument()
    const refused: Refused = { kind: 'project' }
    void navigate('/', { replace: true, state: { refused } })
  }, [named, navigate])
}
