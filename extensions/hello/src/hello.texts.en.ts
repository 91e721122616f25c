import type { de } from './hello.texts.ts'

export const en: typeof de = {
  welcome: (name: string) => `Hello, ${name}`,
  project: (label: string) => `You are working on ${label}.`,
  greet: 'Greet',
  greeting: 'Hello',
}
