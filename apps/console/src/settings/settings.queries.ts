import { type BodyOf, type Settings, settingsEndpoints, type TaskNotice } from '@pult/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { density } from '#platform/density.ts'
import { notify } from '#platform/notify.ts'
import { queryClient } from '#platform/query-client.ts'
import { theme } from '#platform/theme.ts'
import { followLanguage } from './language/account-language.ts'
import { texts } from './settings.texts.ts'

export type SettingsChange = BodyOf<typeof settingsEndpoints.update>

const queryKey = ['settings', 'console']

/** How many changes are on their way: what is read meanwhile may be from before them. */
let saving = 0

/** Reads the settings, and makes this browser look like them. */
export const settingsQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal }) => {
    const settings = await api(settingsEndpoints.read, { signal, background: true })
    if (saving > 0) return queryClient.getQueryData<Settings>(queryKey) ?? settings
    if (settings.language !== null) await followLanguage(settings.language)
    if (settings.theme !== null) theme.follow(settings.theme)
    density.choose(settings.density)
    return settings
  },
})

/** The settings of the person; what is shown of them here follows other browsers. */
export const useSettings = () => useQuery(settingsQuery)

/** Whether the person wants to be told of this. Until the settings are known, of everything. */
export const isTold = (notice: TaskNotice): boolean =>
  queryClient.getQueryData<Settings>(queryKey)?.notifications[notice] ?? true

/**
 * Changes settings at once, on screen before the server knows. One that could not be kept is taken back; answers whether it
 * was kept.
 */
export async function changeSettings(change: SettingsChange): Promise<boolean> {
  saving += 1
  const before = queryClient.getQueryData<Settings>(queryKey)
  if (before !== undefined) queryClient.setQueryData(queryKey, changed(before, change))
  try {
    const settings = await api(settingsEndpoints.update, { body: change })
    saving -= 1
    if (saving === 0) queryClient.setQueryData(queryKey, settings)
    return true
  } catch (error) {
    saving -= 1
    notify.error(texts.savingFailed, error)
    await queryClient.invalidateQueries({ queryKey })
    return false
  }
}

const changed = (settings: Settings, { notifications, ...rest }: SettingsChange): Settings => ({
  ...settings,
  ...given(rest),
  notifications: { ...settings.notifications, ...given(notifications ?? {}) },
})

/** Without what was left out. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
