import { notify } from '#platform/notify.ts'
import { texts } from './edges.texts.ts'

/** What `edge:alert` tells. */
export interface EdgeAlert {
  edges: { _id: string; label: string }[]
}

const namedMost = 5

/** Says which edges stay away. */
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
