import { expect, test } from 'vitest'
import { creatorOf } from './creator-of.ts'

test('the creator of a task is named together with the service that named it', () => {
  const createdBy = { _id: 'a', firstname: 'Ada', lastname: 'Lovelace' }
  const service = { token: 'b', label: 'Render farm' }
  expect(creatorOf({ createdBy })).toBe('Ada Lovelace')
  expect(creatorOf({ createdBy: null })).toBe('by the system')
  expect(creatorOf({ createdBy, service })).toBe('Ada Lovelace, by a service with the token Render farm')
  expect(creatorOf({ createdBy: null, service: { ...service, label: null } })).toBe(
    'by a service with a revoked token',
  )
})
