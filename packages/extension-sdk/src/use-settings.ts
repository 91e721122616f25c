import { ownExtensionSettingsEndpoints, type SettingValue } from '@pult/contract'
import { useCall } from './data/use-call.ts'
import { useLive } from './data/use-live.ts'
import { useAppHost } from './host.ts'

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
  const { app, project } = useAppHost()
  const projectId = project?._id
  const topics = ['extensions', 'settings']
  if (projectId !== undefined) topics.push(`/projects/${projectId}/apps/${app.id}/store`)
  useLive(topics, { touches: [ownExtensionSettingsEndpoints.values] })
  const { data, error } = useCall(ownExtensionSettingsEndpoints.values, {
    params: { app: app.id },
    query: { project: projectId },
  })
  return { values: data?.values as Values | undefined, error }
}
