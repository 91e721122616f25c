import { notify } from '#platform/notify.ts'
import { texts } from './edges.texts.ts'

/** Payload of `edge:alert`. */
export interface EdgeAlert {
  edges: { _id: string; label: string }[]
}

const namedMost = 5

/** Notifies the user of edges that stay offline. */
export function showAlert({ edges }: EdgeAlert): void {
  const [first] = edges
  if (first !== undefined && edges.length === 1) {
    notify.warning(texts.edgeOffline(first.label), texts.edgeOfflineText)
    return
  }
  const labels = edges.slice(0, namedMost).map(({ label }) => label)
  const all = edges.length > namedMost ? [...labels, '…'] : labels
  notify.warning(texts.edgesOffline(edges.length), texts.edgesOfflineText(all.join(', ')))
}
