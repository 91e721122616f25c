import type { TextOverrides } from '@pult/sdk'
import type { de } from './notes.texts.ts'

export const en: TextOverrides<typeof de> = {
  resource: {
    noneText:
      'Write down what all members of this project should know: how to reach the hall, what was agreed on.',
  },
}
