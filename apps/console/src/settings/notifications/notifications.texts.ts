import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('notifications', {
  title: 'Notifications',
  description: 'The notifications you see while you work, in every browser you use.',
  scope: 'Notices about tasks',
  off: 'Off',
  offText: 'No notices about tasks',
  mine: 'Mine',
  mineText: 'Tasks that you started',
  all: 'All',
  allText: 'All tasks of the active project',
  tasks: 'Events',
  created: 'Created',
  createdText: 'A task starts',
  finished: 'Finished',
  finishedText: 'A task finishes',
  rejected: 'Failed',
  rejectedText: 'A task fails',
  timedOut: 'Timed out',
  timedOutText: 'A task exceeds its deadline',
  aborted: 'Aborted',
  abortedText: 'A task is aborted',
})
