import { textsOf } from '#platform/locale.ts'

/** What the page shows before anything is typed. */
export const texts = textsOf('login', {
  title: 'Login',
  username: 'Username / E-Mail',
  usernameMissing: 'Please enter your username/E-Mail',
  next: 'Next',
  loading: 'Loading',
  notLoaded: 'The server cannot be reached. Please check your connection',
  signingIn: 'Signing in',
  tryAgainIn: (time: string) => `Try again in ${time}`,
  tryAgainNow: 'You can try again now',
  seconds: (count: number) => (count === 1 ? '1 second' : `${count} seconds`),
  minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
  passkeyNotAccepted: 'This passkey was not accepted. Please try again, or sign in with your password',
})
