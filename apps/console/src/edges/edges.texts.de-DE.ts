import type { texts } from './edges.texts.ts'

export const deDE: typeof texts = {
  edgeOffline: (label: string) => `${label} ist offline`,
  edgesOffline: (count: number) => `${count} Edges sind offline`,
  edgesOfflineText: (labels: string) => `${labels} melden sich nicht mehr.`,
  edgeOfflineText: 'Das Edge meldet sich nicht mehr.',
  showEdges: 'Edges anzeigen',
}
