import { texts } from './login.texts.ts'

/** A time to wait. Longer ones are told in whole minutes, rounded up. */
export function inWords(seconds: number): string {
  return seconds < 120 ? texts.seconds(seconds) : texts.minutes(Math.ceil(seconds / 60))
}
