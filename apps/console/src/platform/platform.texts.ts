import { textsOf } from './locale.ts'

export const texts = textsOf({
  de: {
    version: (version: string) => `Version ${version}`,
    network: 'The server cannot be reached. Please check your connection',
    unreadable: 'The server gave an answer that this page does not understand. Please reload the page',
    sessionEnded: 'Your session has ended. Please sign in again',
    notifications: 'Notifications',
    closeNotification: 'Close',
    leaveTitle: 'Leave without saving?',
    leaveText: 'What you have changed on this page is not saved yet.',
    leave: 'Leave',
    stay: 'Stay',
    leaveFailed: 'This page cannot be left right now',
  },
})
