import { expect, test } from 'vitest'
import { appIcon } from './app-icons.ts'

test('an unknown icon of a manifest is a box, also if it has the name of a property of every object', () => {
  expect(appIcon('constructor').type).toBe(appIcon('box').type)
  expect(appIcon('nothing').type).toBe(appIcon('box').type)
  expect(appIcon('bell').type).not.toBe(appIcon('box').type)
})
