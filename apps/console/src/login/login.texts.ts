import { textsOf } from '#platform/locale.ts'

/** Texts of the initial screen. */
export const texts = textsOf('login', {
  title: 'Login',
  username: 'Username / E-Mail',
  usernameMissing: 'Please enter your username/E-Mail',
  next: 'Next',
  loading: 'Loading',
  notLoaded: 'The server cannot be reached. Check your connection',
  signingIn: 'Signing in',
  tryAgainIn: (time: string) => `Try again in ${time}`,
  tryAgainNow: 'You can try again now',
  seconds: (count: number) => (count === 1 ? '1 second' : `${count} seconds`),
  minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
  passkeyNotAccepted: 'This passkey was not accepted. Try again or sign in with your password',
})
