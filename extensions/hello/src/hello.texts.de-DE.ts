import type { de } from './hello.texts.ts'

export const deDE: typeof de = {
  welcome: (name: string) => `Guten Tag, ${name}`,
  project: (label: string) => `Sie arbeiten an ${label}.`,
  greet: 'Grüßen',
  greeting: 'Guten Tag',
}
