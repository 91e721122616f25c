import { textsOf } from '@pult/sdk'
import { deDE } from './hello.texts.de-DE.ts'
import { en } from './hello.texts.en.ts'

export const de = {
  welcome: (name: string) => `Hello ${name}`,
  project: (label: string) => `You are working on ${label}.`,
  greet: 'Greet',
  greeting: 'Hello',
}

export const texts = textsOf({ de, en, 'de-DE': deDE })
