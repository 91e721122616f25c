import {
  extensionEndpoints,
  meEndpoints,
  projectEndpoints,
  settingsEndpoints,
  startEndpoints,
} from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer()
const { given } = server
const start = (person: GivenPerson, project?: string) =>
  person.call(startEndpoints.read, { query: project === undefined ? {} : { project } })

test('BOOT-02 a start returns the answers of the calls that it replaces', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { label: 'Hall 7' })
  const { body } = await start(ada, projectId)
  expect(body).toEqual({
    credentials: (await ada.call(meEndpoints.read)).body,
    settings: (await ada.call(settingsEndpoints.read)).body,
    project: (await ada.call(projectEndpoints.read, { params: { projectId } })).body,
    fragments: (await ada.call(extensionEndpoints.probe, { query: { project: projectId } })).body,
    rootFragments: [],
  })
  expect(body.fragments.length).toBeGreaterThan(0)
})

test('root also receives the extensions with root apps', async () => {
  const root = await given.person({ isRoot: true })
  const { body } = await start(root)
  expect(body.rootFragments).toEqual((await root.call(extensionEndpoints.probe)).body)
  expect(body.rootFragments.length).toBeGreaterThan(0)
})

test('RULE-51 a project that the caller may not see, an unknown id and any other text return the first project', async () => {
  const ada = await given.person()
  const hidden = await given.project(await given.person())
  expect((await start(ada, hidden.projectId)).body).toMatchObject({ project: null, fragments: [] })
  const { projectId } = await given.project(ada)
  for (const asked of [hidden.projectId, '018f0000-0000-7000-8000-000000000000', 'no id', undefined])
    expect((await start(ada, asked)).body.project?._id).toBe(projectId)
})

test('a start without a session is rejected', async () => {
  expect(await server.call(startEndpoints.read)).toFailWith('UNAUTHENTICATED')
})
