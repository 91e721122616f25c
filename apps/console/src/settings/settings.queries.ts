import {
  type BodyOf,
  type Settings,
  settingsEndpoints,
  type TaskNotice,
  type TaskNoticeScope,
} from '@pult/contract'
import { keyOf, readTouched } from '@pult/sdk/host'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { density } from '#platform/density.ts'
import { notify } from '#platform/notify.ts'
import { queryClient } from '#platform/query-client.ts'
import { theme } from '#platform/theme.ts'
import { followLanguage } from './language/account-language.ts'
import { texts } from './settings.texts.ts'

export type SettingsChange = BodyOf<typeof settingsEndpoints.update>

const queryKey = keyOf(settingsEndpoints.read)

/** Number of pending changes. Settings read in the meantime may predate them. */
let saving = 0

/** Resolves when the change that was sent last has been stored. */
let sent: Promise<unknown> = Promise.resolve()

/** Sends one change after another, so that an earlier choice cannot arrive last and win. */
function store(change: SettingsChange): Promise<Settings> {
  const stored = sent.then(() => api(settingsEndpoints.update, { body: change }))
  sent = stored.catch(() => {})
  return stored
}

/**
 * Reads the settings and applies them to this browser. This is no `callQuery`, because it discards a reply that may
 * predate a change, and no read counts as use of the session.
 */
export const settingsQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal }) => {
    const settings = await api(settingsEndpoints.read, { signal, background: true })
    if (saving > 0) return queryClient.getQueryData<Settings>(queryKey) ?? settings
    await applySettings(settings)
    return settings
  },
})

/** Applies theme, density and language. A language change reloads the page, and then this never resolves. */
export async function applySettings(settings: Settings): Promise<void> {
  if (settings.language !== null) await followLanguage(settings.language)
  if (settings.theme !== null) theme.follow(settings.theme)
  density.choose(settings.density)
}

/** The user's settings. Changes from other browsers update them. */
export const useSettings = () => useQuery(settingsQuery)

/** Returns the scope of task notices; the default until the settings have loaded. */
export const taskNoticeScope = (): TaskNoticeScope =>
  queryClient.getQueryData<Settings>(queryKey)?.taskNoticeScope ?? 'mine'

/** Returns whether the user has enabled notices about this change; true until the settings have loaded. */
export const isNoticeEnabled = (notice: TaskNotice): boolean =>
  queryClient.getQueryData<Settings>(queryKey)?.notifications[notice] ?? true

/** Applies a settings change optimistically. A failed change is rolled back. Resolves with whether it was stored. */
export async function changeSettings(change: SettingsChange): Promise<boolean> {
  saving += 1
  const before = queryClient.getQueryData<Settings>(queryKey)
  if (before !== undefined) queryClient.setQueryData(queryKey, changed(before, change))
  try {
    const settings = await store(change)
    saving -= 1
    if (saving === 0) queryClient.setQueryData(queryKey, settings)
    return true
  } catch (error) {
    saving -= 1
    notify.error(texts.savingFailed, error)
    await readTouched(queryClient, [settingsEndpoints.read])
    return false
  }
}

const changed = (settings: Settings, { notifications, ...rest }: SettingsChange): Settings => ({
  ...settings,
  ...given(rest),
  notifications: { ...settings.notifications, ...given(notifications ?? {}) },
})

/** Removes undefined fields. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
