import { goTo } from '#platform/go-to.ts'
import { showMessage } from '#platform/notify.ts'
import { withProject } from '#platform/project-address.ts'
import { texts } from './edges.texts.ts'

/** Payload of `edge:alert`. */
export interface EdgeAlert {
  edges: { _id: string; label: string }[]
}

const maxNamed = 5

/** Notifies the user of a project's edges that stay offline, with a link to them. */
export function showAlert({ edges }: EdgeAlert, projectId: string): void {
  const [first] = edges
  const labels = edges.slice(0, maxNamed).map(({ label }) => label)
  const all = edges.length > maxNamed ? [...labels, '…'] : labels
  const words =
    first !== undefined && edges.length === 1
      ? { title: texts.edgeOffline(first.label), text: texts.edgeOfflineText }
      : { title: texts.edgesOffline(edges.length), text: texts.edgesOfflineText(all.join(', ')) }
  showMessage({
    ...words,
    tone: 'warning',
    action: {
      label: texts.showEdges,
      onAction: () => goTo(withProject('/app/edges?state=offline', projectId)),
    },
  })
}
