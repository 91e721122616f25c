import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('app-steps', {
  connectingSocket: 'Connecting socket',
  loadingProjects: 'Loading projects',
  prepareFragments: 'Prepare fragments',
  registerExtensions: 'Register extensions',
  loadingApps: 'Loading apps',
  socketLater: 'No live connection yet. Retrying',
  lastStart: 'Last start',
  lastStartUnfinished: 'The last start did not finish. An extension may block the console.',
  startSafely: 'Start in safe mode',
  startsIn: (seconds: number, isSafe: boolean) =>
    `Starts ${isSafe ? 'in safe mode ' : ''}in ${seconds}\u202Fs without input`,
  notLoaded: (ids: string[]) => `Could not be loaded: ${ids.join(', ')}`,
})
