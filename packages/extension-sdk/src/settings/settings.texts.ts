import type { Misfit } from '@pult/contract'
import { useTexts } from '../texts.ts'
import { deDE } from './settings.texts.de-DE.ts'

const de = {
  saved: (label: string) => `Settings of ${label} saved`,
  noValue: 'No value',
  secretStored: 'Stored',
  switchedOn: 'On',
  switchedOff: 'Off',
  stored: 'A value is stored. Enter another one to replace it.',
  remove: 'Remove the stored value',
  removed: 'The value is removed when you save.',
  show: 'Show',
  hide: 'Hide',
  unusable: (reason: string) => `The stored value cannot be used: ${reason}`,
  usedInstead: (used: string) => `The extension uses ${used} until you save another value.`,
  nothing: 'no value',
  on: 'on',
  off: 'off',
  reasons: {
    type: 'It has another type.',
    range: 'It is out of range.',
    length: 'It is too long.',
    choice: 'It is no longer offered.',
    'was-secret': 'It was stored as a secret.',
    'no-secret': 'It was not stored as a secret.',
  } satisfies Record<Misfit, string>,
  number: 'Enter a number',
  range: (min: string, max: string) => `Enter a number from ${min} to ${max}`,
  atLeast: (min: string) => `Enter a number of at least ${min}`,
  atMost: (max: string) => `Enter a number of at most ${max}`,
  tooLong: (max: string) => `Use at most ${max} characters`,
}

export const useSettingsTexts = () => useTexts({ de, 'de-DE': deDE })
export type SettingsTexts = typeof de
