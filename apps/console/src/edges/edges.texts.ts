import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('edges', {
  edgeOffline: (label: string) => `${label} is offline`,
  edgesOffline: (count: number) => `${count} edges are offline`,
  edgesOfflineText: (labels: string) => `${labels} stopped reporting.`,
  edgeOfflineText: 'It stopped reporting.',
  showEdges: 'Show edges',
})
