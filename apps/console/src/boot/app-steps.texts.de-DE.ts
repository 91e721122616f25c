import type { texts } from './app-steps.texts.ts'

export const deDE: typeof texts = {
  connectingSocket: 'Verbindung wird aufgebaut',
  loadingProjects: 'Projekte werden geladen',
  prepareFragments: 'Fragmente werden vorbereitet',
  registerExtensions: 'Erweiterungen werden angemeldet',
  loadingApps: 'Apps werden geladen',
  socketLater: 'Noch keine Live-Verbindung. Weitere Versuche folgen',
  notLoaded: (ids: string[]) => `Nicht geladen: ${ids.join(', ')}`,
}
