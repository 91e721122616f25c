import { textsOf } from '#platform/locale.ts'

export const texts = textsOf({
  de: {
    steps: 'Start',
    authenticationInit: 'Authentication init',
    connectingSocket: 'Connecting socket',
    loadingProjects: 'Loading projects',
    prepareFragments: 'Prepare fragments',
    registerExtensions: 'Register extensions',
    loadingApps: 'Loading apps',
    running: 'running',
    done: 'done',
    warning: 'warning',
    failed: 'failed',
    retry: 'Retry',
    crashed: 'Something went wrong',
    reload: 'Reload the page',
    socketLater: 'No live connection yet. Still trying',
    notLoaded: (ids: string[]) => `Could not be loaded: ${ids.join(', ')}`,
  },
})
