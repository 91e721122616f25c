import { texts } from './login.texts.ts'

/** Formats a waiting time. From 2 min on it is in whole minutes, rounded up. */
export function inWords(seconds: number): string {
  return seconds < 120 ? texts.seconds(seconds) : texts.minutes(Math.ceil(seconds / 60))
}
