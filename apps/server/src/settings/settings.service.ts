import type { BodyOf, Settings, settingsEndpoints } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import type { Events } from '#platform/realtime/events.ts'
import { createOwnSettings } from './own-settings.ts'

type Value = Omit<Settings, 'revision' | 'updatedAt'>

const defaults: Value = {
  language: null,
  theme: null,
  density: 'comfortable',
  taskNoticeScope: 'mine',
  hidesFirstSteps: false,
  homeCards: { order: [], hidden: [] },
  notifications: { created: true, finished: true, rejected: true, timedOut: true, aborted: true },
}

/** A person's settings for appearance and notifications. */
export function createSettingsService(parts: { db: Kysely<Database>; events: Events }) {
  const settings = createOwnSettings<Value>({ ...parts, name: 'console', defaults })

  return {
    read: ({ personId }: Caller): Promise<Settings> => settings.read(personId),

    /** Returns null if the person has chosen none. */
    async chosenLanguageOf(personId: string, from?: Db): Promise<Language | null> {
      return (await settings.read(personId, from)).language
    },

    update: (
      { personId }: Caller,
      {
        language,
        theme,
        density,
        taskNoticeScope,
        hidesFirstSteps,
        homeCards,
        notifications,
      }: BodyOf<typeof settingsEndpoints.update>,
      revision: number | undefined,
    ): Promise<Settings> =>
      settings.change(personId, { revision, shown: (value) => value }, (before) => ({
        ...(language !== undefined && { language }),
        ...(theme !== undefined && { theme }),
        ...(density !== undefined && { density }),
        ...(taskNoticeScope !== undefined && { taskNoticeScope }),
        ...(hidesFirstSteps !== undefined && { hidesFirstSteps }),
        ...(homeCards !== undefined && { homeCards }),
        notifications: { ...before.notifications, ...given(notifications ?? {}) },
      })),
  }
}
export type SettingsService = ReturnType<typeof createSettingsService>

/** Removes omitted values. */
const given = (sent: Partial<Record<string, boolean | undefined>>) =>
  Object.fromEntries(Object.entries(sent).filter(([, isOn]) => isOn !== undefined)) as Record<string, boolean>
