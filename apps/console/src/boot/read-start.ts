import { type Start, startEndpoints } from '@pult/contract'
import { noteMadeOf } from '@pult/sdk/host'
import { api } from '#platform/api.ts'
import { projectOfStart } from '#platform/project-address.ts'
import { queryClient } from '#platform/query-client.ts'
import { openRealtime } from '#platform/realtime.ts'
import { fragmentsQuery } from '../extensions/extensions.queries.ts'

import { activeProjectQuery } from '../projects/projects.queries.ts'
import { applySettings, settingsQuery } from '../settings/settings.queries.ts'

/** Reads all data of a start in one call, fills the query cache and applies the account's settings. */
export async function readStart(): Promise<Start> {
  // The socket opens while the server answers.
  openRealtime()
  const requested = projectOfStart()
  const start = await api(startEndpoints.read, { query: requested === null ? {} : { project: requested } })
  const { credentials, settings, project, fragments, rootFragments } = start
  // The topics that open meanwhile need not read them again.
  for (const part of [settings, project, fragments, rootFragments]) if (part !== null) noteMadeOf(part, start)
  await applySettings(settings)
  queryClient.setQueryData(settingsQuery.queryKey, settings)
  // If the caller cannot see the requested project, the query chooses the active one.
  if (requested === null || project?._id === requested)
    queryClient.setQueryData(activeProjectQuery.queryKey, project)
  if (project !== null) queryClient.setQueryData(fragmentsQuery(project._id).queryKey, fragments)
  if (credentials.isRoot) queryClient.setQueryData(fragmentsQuery(null).queryKey, rootFragments)
  return start
}
