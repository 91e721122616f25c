import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('app-steps', {
  connectingSocket: 'Connecting socket',
  loadingProjects: 'Loading projects',
  prepareFragments: 'Prepare fragments',
  registerExtensions: 'Register extensions',
  loadingApps: 'Loading apps',
  socketLater: 'No live connection yet. Still trying',
  notLoaded: (ids: string[]) => `Could not be loaded: ${ids.join(', ')}`,
})
