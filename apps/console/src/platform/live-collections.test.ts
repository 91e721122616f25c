import {
  edgeEndpoints,
  emailEndpoints,
  homeEndpoints,
  organisationEndpoints,
  otpEndpoints,
  overviewEndpoints,
  ownExtensionSettingsEndpoints,
  ownSessionEndpoints,
  passkeyEndpoints,
  projectEndpoints,
  settingsEndpoints,
  taskEndpoints,
} from '@pult/contract'
import { keyOf, readTouched } from '@pult/sdk/host'
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { afterAll, expect, test, vi } from 'vitest'

// The connection listens to its page.
const listen = () => {}
vi.stubGlobal('addEventListener', listen)
vi.stubGlobal('document', { documentElement: { lang: 'de' }, addEventListener: listen })
afterAll(() => void vi.unstubAllGlobals())
const { collections } = await import('./live-collections.ts')

const params = { projectId: 'p1', orgId: 'o1' }
const cached: Record<string, QueryKey> = {
  projects: keyOf(projectEndpoints.list),
  'pages of projects': [...keyOf(projectEndpoints.list, { query: { search: 'hall' } }), 'pages'],
  project: keyOf(projectEndpoints.read, { params }),
  // Several calls find it.
  'active project': ['projects', 'active', {}],
  invitations: keyOf(projectEndpoints.invitations, { params }),
  home: keyOf(homeEndpoints.read, { params }),
  edges: keyOf(edgeEndpoints.list, { params }),
  overview: [...keyOf(overviewEndpoints.read, { query: { sort: 'label' } }), 'pages'],
  'overview of an organisation': keyOf(overviewEndpoints.ofOrganisation, { params }),
  organisations: keyOf(organisationEndpoints.list),
  organisation: keyOf(organisationEndpoints.read, { params }),
  members: keyOf(organisationEndpoints.members, { params }),
  'members to be': keyOf(organisationEndpoints.invitations, { params }),
  'settings of apps': keyOf(ownExtensionSettingsEndpoints.ofPerson, { query: { project: 'p1' } }),
  settings: keyOf(settingsEndpoints.read),
  'e-mails': keyOf(emailEndpoints.list),
  'second factor': keyOf(otpEndpoints.read),
  passkeys: keyOf(passkeyEndpoints.list),
  sessions: keyOf(ownSessionEndpoints.list),
  activity: keyOf(ownSessionEndpoints.activity),
  tasks: keyOf(taskEndpoints.mine),
}

test.each([
  [
    'projects',
    ['projects', 'pages of projects', 'project', 'active project', 'overview', 'overview of an organisation'],
  ],
  [
    'organisations',
    ['overview of an organisation', 'organisations', 'organisation', 'members', 'members to be'],
  ],
  ['extensions', ['settings of apps']],
  ['me', ['e-mails', 'second factor', 'passkeys', 'sessions', 'activity']],
])('an event of the topic %s refetches these records and no others', async (topic, expected) => {
  const client = new QueryClient()
  for (const key of Object.values(cached)) client.setQueryData(key, true)
  await readTouched(client, collections[topic] ?? [])
  const isStale = (key: QueryKey) => client.getQueryState(key)?.isInvalidated === true
  expect(Object.keys(cached).filter((name) => isStale(cached[name] ?? []))).toEqual(expected)
})

test('each followed topic is in the table', () => {
  expect(Object.keys(collections)).toEqual(['projects', 'organisations', 'extensions', 'me'])
})
