import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('notifications', {
  title: 'Notifications',
  description: 'Which short messages you see while you work, in every browser in which you sign in.',
  tasks: 'Tasks',
  created: 'Created',
  createdText: 'A task has begun',
  finished: 'Finished',
  finishedText: 'A task has ended well',
  rejected: 'Failed',
  rejectedText: 'A task has ended with an error',
  timedOut: 'Timed out',
  timedOutText: 'A task took too long',
  aborted: 'Aborted',
  abortedText: 'Somebody has stopped a task',
})
