import type { TextOverrides } from '@pult/sdk'
import type { de } from './hello.texts.ts'

export const en: TextOverrides<typeof de> = {
  welcome: (name: string) => `Hello, ${name}`,
}
