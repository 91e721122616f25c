import { expect, test } from 'vitest'
import { composeTitle } from './page-title.ts'

test.each([
  [[], 'Pult'],
  [['Account'], 'Account · Pult'],
  [['Account', 'Profile'], 'Profile · Account · Pult'],
])('SHELL-06 the pushed titles %j compose to %j', (pushed, title) => {
  expect(composeTitle(pushed)).toBe(title)
})
