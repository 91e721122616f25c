import type { texts } from './app-steps.texts.ts'

export const en: typeof texts = {
  connectingSocket: 'Connecting',
  loadingProjects: 'Loading projects',
  prepareFragments: 'Preparing fragments',
  registerExtensions: 'Registering extensions',
  loadingApps: 'Loading apps',
  socketLater: 'No live connection yet. Still trying',
  notLoaded: (ids: string[]) => `Could not be loaded: ${ids.join(', ')}`,
}
