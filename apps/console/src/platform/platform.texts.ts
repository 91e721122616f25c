import { textsOf } from './locale.ts'

export const texts = textsOf('platform', {
  version: (version: string) => `Version ${version}`,
  language: 'Language',
  languageNotLoaded: 'Your language could not be loaded',
  network: 'The server cannot be reached. Check your connection',
  unreadable: 'Unexpected response from the server. Reload the page',
  sessionEnded: 'Your session has ended. Sign in again',
})
