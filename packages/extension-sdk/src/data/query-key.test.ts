import { edgeEndpoints, overviewEndpoints, projectEndpoints } from '@pult/contract'
import { expect, test } from 'vitest'
import { isTouched, keyOf } from './query-key.ts'

const params = { projectId: 'p1', edgeId: 'e1' }
const list = keyOf(projectEndpoints.list, { query: { limit: '1' } })
const project = keyOf(projectEndpoints.read, { params })
const edges = keyOf(edgeEndpoints.list, { params, query: { search: 'press' } })
const edge = keyOf(edgeEndpoints.read, { params })

test('a key is the path of the call, and its query without missing and empty values', () => {
  expect(edge).toEqual(['projects', 'p1', 'edges', 'e1', {}])
  expect(
    keyOf(edgeEndpoints.list, { params, query: { search: '', tags: undefined, sort: 'label' } }),
  ).toEqual(['projects', 'p1', 'edges', { sort: 'label' }])
})

test('a path touches everything below it, and nothing beside it', () => {
  const touched = (path: string) => [list, project, edges, edge].map((key) => isTouched(key, path))
  expect(touched('/projects/p1/edges')).toEqual([false, false, true, true])
  expect(touched('/projects/p1/edges/e1')).toEqual([false, false, false, true])
  expect(touched('/projects/p1/edges/e')).toEqual([false, false, false, false])
  expect(touched('/projects')).toEqual([true, true, true, true])
  expect(touched('/projects/p2')).toEqual([false, false, false, false])
})

test('an endpoint touches its own replies, for any parameters and any query', () => {
  const touched = (endpoint: { path: string }) =>
    [list, project, edges, edge].map((key) => isTouched(key, endpoint as typeof projectEndpoints.list))
  expect(touched(projectEndpoints.list)).toEqual([true, false, false, false])
  expect(touched(projectEndpoints.read)).toEqual([false, true, false, false])
  expect(touched(edgeEndpoints.read)).toEqual([false, false, false, true])
  expect(touched(overviewEndpoints.read)).toEqual([false, false, false, false])
})

test('the pages of a list are touched like its other replies', () => {
  expect(isTouched([...list, 'pages'], projectEndpoints.list)).toBe(true)
  expect(isTouched([...list, 'pages'], '/projects')).toBe(true)
  expect(isTouched([...edges, 'pages'], projectEndpoints.list)).toBe(false)
})
