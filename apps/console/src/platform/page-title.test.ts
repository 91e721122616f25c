import { expect, test } from 'vitest'
import { composeTitle } from './page-title.ts'

const account = { title: 'Account', depth: 3 }
const profile = { title: 'Profile', depth: 7 }

test.each([
  [[], 'Pult'],
  [[account], 'Account · Pult'],
  [[account, profile], 'Profile · Account · Pult'],
  [[profile, account], 'Profile · Account · Pult'],
])('SHELL-06 the pushed titles %j compose to %j', (pushed, title) => {
  expect(composeTitle(pushed)).toBe(title)
})
