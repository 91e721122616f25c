import type { Project } from '@pult/contract'
import { useEffect } from 'react'
import { subscribe } from '#platform/realtime.ts'
import type { EdgeAlert } from './edge-alert.ts'

/** Wherever somebody is in the console: edges of the active project that stay away are told of. */
export function useEdgeAlerts(project: Project | null): void {
  const projectId = project?.products.includes('edges') === true ? project._id : null
  useEffect(() => {
    if (projectId === null) return
    // Who may not see the edges is refused the topic, and hears nothing.
    return subscribe(`/projects/${projectId}/edges`, (news) => {
      if (news.kind !== 'event' || news.name !== 'edge:alert') return
      // Rare, and so no part of the frame.
      import('./edge-alert.ts').then(({ showAlert }) => showAlert(news.data as EdgeAlert)).catch(reportError)
    })
  }, [projectId])
}
