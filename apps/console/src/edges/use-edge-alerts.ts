import type { Project } from '@pult/contract'
import { useEffect } from 'react'
import { keepLoading } from '#platform/failed-load.ts'
import { subscribe } from '#platform/realtime.ts'
import type { EdgeAlert } from './edge-alert.ts'

/** Notifies the user of offline edges in the active project, on every page. */
export function useEdgeAlerts(project: Project | null): void {
  const projectId = project?.products.includes('edges') === true ? project._id : null
  useEffect(() => {
    if (projectId === null) return
    // The server rejects the subscription for users without access to the edges, so they receive no events.
    return subscribe(`/projects/${projectId}/edges`, (news) => {
      if (news.kind !== 'event' || news.name !== 'edge:alert') return
      // Rare, so it is not part of the frame.
      keepLoading(
        () => import('./edge-alert.ts'),
        ({ showAlert }) => showAlert(news.data as EdgeAlert, projectId),
      )
    })
  }, [projectId])
}
