import { textsOf } from '#platform/locale.ts'

export const texts = textsOf({
  de: {
    title: 'Login',
    username: 'Username / E-Mail',
    usernameMissing: 'Please enter your username/E-Mail',
    next: 'Next',
    chooseMethod: 'How do you want to sign in?',
    changeUsername: 'Change username',
    password: 'Password',
    passwordMissing: 'Please enter your password',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    abort: 'Abort',
    login: 'Login',
    signingIn: 'Signing in',
    tryAgainIn: (time: string) => `Try again in ${time}`,
    tryAgainNow: 'You can try again now',
    seconds: (count: number) => (count === 1 ? '1 second' : `${count} seconds`),
    minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
  },
})
