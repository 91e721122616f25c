import { textsOf } from './locale.ts'

export const texts = textsOf('platform', {
  version: (version: string) => `Version ${version}`,
  language: 'Language',
  languageNotLoaded: 'Your language could not be loaded',
  network: 'The server cannot be reached. Please check your connection',
  unreadable: 'The server gave an answer that this page does not understand. Please reload the page',
  sessionEnded: 'Your session has ended. Please sign in again',
})
