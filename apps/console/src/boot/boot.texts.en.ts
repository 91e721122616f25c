import type { texts } from './boot.texts.ts'

export const en: typeof texts = {
  steps: 'Start',
  authenticationInit: 'Checking who you are',
  running: 'running',
  done: 'done',
  warning: 'warning',
  failed: 'failed',
  retry: 'Retry',
  crashed: 'Something went wrong',
  reload: 'Reload the page',
}
