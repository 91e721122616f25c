import type { Endpoint } from '@pult/contract'
import { expect, test } from 'vitest'
import * as api from './api.ts'
import * as rootApi from './api-root.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

/** The paths of all endpoints in the exported groups. */
const pathsOf = (module: object) =>
  Object.values(module)
    .filter((group) => typeof group === 'object' && group !== null)
    .flatMap((group) => Object.values(group).filter(isEndpoint))
    .map(({ path }) => path)

test('@pult/sdk/api offers only calls about projects, organisations, products, tasks, files and settings', () => {
  const paths = pathsOf(api)
  expect(paths.length).toBeGreaterThan(50)
  const area =
    /^\/(?:(?:v2\/)?projects|orgs|products|tasks|files|probe|(?:.*\/extension|app)-settings|apps\/root\/extensions\/:name\/settings)(?:\/|$)/
  expect(paths.filter((path) => !area.test(path))).toEqual([])
})

test('@pult/sdk/api/root repeats no name of @pult/sdk/api', () => {
  expect(pathsOf(rootApi).length).toBeGreaterThan(10)
  expect(Object.keys(rootApi).filter((name) => name in api)).toEqual([])
})
