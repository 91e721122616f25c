import type { texts } from './edges.texts.ts'

export const en: typeof texts = {
  edgeOffline: (label: string) => `${label} is offline`,
  edgesOffline: (count: number) => `${count} edges are offline`,
  edgesOfflineText: (labels: string) => `${labels} stopped reporting.`,
  edgeOfflineText: 'It stopped reporting. See it in Edges.',
}
