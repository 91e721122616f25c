import { ownExtensionSettingsEndpoints, type SettingValue } from '@pult/contract'
import { useQuery } from '@tanstack/react-query'
import { callOf } from './call.ts'
import { useAppHost } from './host.ts'
import { useLiveQueries } from './use-live-queries.ts'

export interface UsedSettings<Values> {
  /**
   * The values by id, without secrets: the stored value, or else the default, or else null. Undefined while they load.
   */
  values: Values | undefined
  error: Error | null
}

/**
 * Returns the manifest's settings as they apply to the user: those of the installation, of the active project and of
 * the user. Live.
 *
 * @example const { values } = useSettings<{ limit: number }>()
 */
export function useSettings<
  Values extends Readonly<Record<keyof Values, SettingValue | null>> = Readonly<
    Record<string, SettingValue | null>
  >,
>(): UsedSettings<Values> {
  const { app, project, call } = useAppHost()
  const projectId = project?._id
  const queryKey = ['app-settings', app.id, projectId ?? null]
  useLiveQueries(
    projectId === undefined ? undefined : `/projects/${projectId}/apps/${app.id}/store`,
    queryKey,
  )
  useLiveQueries('extensions', queryKey)
  useLiveQueries('settings', queryKey)
  const { data, error } = useQuery({
    queryKey,
    queryFn: (context) =>
      call(ownExtensionSettingsEndpoints.values, {
        ...callOf(context),
        params: { app: app.id },
        query: projectId === undefined ? {} : { project: projectId },
      }),
  })
  return { values: data?.values as Values | undefined, error }
}
