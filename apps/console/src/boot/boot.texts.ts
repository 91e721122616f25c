import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('boot', {
  steps: 'Start',
  authenticationInit: 'Authentication init',
  running: 'running',
  done: 'done',
  warning: 'warning',
  failed: 'failed',
  retry: 'Retry',
  crashed: 'Something went wrong',
  reload: 'Reload the page',
  httpsNeeded: 'This address requires https.',
  openPlace: (origin: string) => `Open ${origin}`,
})
