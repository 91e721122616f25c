import { expect, test } from 'vitest'
import { pathOfPasted, tokenOf } from './link-path.ts'

const token = 'w3Jq_0u6mS1Qf7-TzZ4kR8dXyPnVbA2hLcEoGiMtU5s'
const origin = 'https://pult.example.org'

test.each([
  [token, `/bift/${token}`],
  [`${origin}/bift/${token}`, `/bift/${token}`],
  [`${origin}/bift/${token}/`, `/bift/${token}/`],
  [`${origin}/bift/${token}?utm=1#x`, `/bift/${token}`],
])('LINK-01 text pasted as %s opens %s', (pasted, path) => {
  expect(pathOfPasted(pasted, origin)).toBe(path)
})

test.each([
  '',
  'hello',
  `https://elsewhere.example.org/bift/${token}`,
  `${origin}/me`,
  `${origin}/bift/`,
  'javascript:alert(1)',
])('LINK-01 %j is not a link to this console', (pasted) => {
  expect(pathOfPasted(pasted, origin)).toBeNull()
})

test.each([
  ['/bift', ''],
  ['/bift/', ''],
  [`/bift/${token}`, token],
  [`/bift/${token}/`, token],
  [`/bift/${token}/more`, ''],
])('ROUTE-13 the token in %s is %j', (path, expected) => {
  expect(tokenOf(path)).toBe(expected)
})
