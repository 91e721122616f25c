import type { TextOverrides } from '@pult/sdk'
import type { texts } from './app-steps.texts.ts'

export const en: TextOverrides<typeof texts> = {
  connectingSocket: 'Connecting',
  prepareFragments: 'Preparing fragments',
  registerExtensions: 'Registering extensions',
}
