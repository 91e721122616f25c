import { textsOf } from './locale.ts'

export const texts = textsOf('platform', {
  version: (version: string) => `Version ${version}`,
  language: 'Language',
  languageNotLoaded: 'Your language could not be loaded',
  network: 'The server cannot be reached. Check your connection',
  unreadable: 'Unexpected response from the server. Reload the page',
  unreachable: 'The server cannot be reached at the moment. Try again, or ask its operator',
  proxySignIn: 'Your session with the proxy has ended. Reload the page to sign in there',
  proxyTooLarge:
    'A proxy in front of Pult rejects files and requests of this size. The operator can raise its limit',
  proxyBusy: 'A proxy in front of Pult limits the number of requests. Try again in a moment',
  proxyRefused: 'A proxy in front of Pult rejects this request. Reload the page, or ask the operator',
  reloadPage: 'Reload the page',
  sessionEnded: 'Your session has ended. Sign in again',
})
