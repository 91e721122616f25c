import type { BodyOf, Settings, settingsEndpoints } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import type { MailLanguage } from '#platform/mail/mail.ts'
import type { Events } from '#platform/realtime/events.ts'
import { createOwnSettings } from './own-settings.ts'

type Value = Omit<Settings, 'revision' | 'updatedAt'>

const defaults: Value = {
  language: null,
  theme: null,
  density: 'comfortable',
  notifications: { created: true, finished: true, rejected: true, timedOut: true, aborted: true },
}

/** How the console looks and what it tells, for each person. */
export function createSettingsService(parts: { db: Kysely<Database>; events: Events }) {
  const settings = createOwnSettings<Value>({ ...parts, name: 'console', defaults })

  return {
    read: ({ personId }: Caller): Promise<Settings> => settings.read(personId),

    /** The default where somebody has chosen none. */
    async languageOf(personId: string): Promise<Language> {
      return (await settings.read(personId)).language ?? 'de'
    },

    /** The default language is a mixture, which a mail is not written in: it is in both. */
    async mailLanguageOf(personId: string): Promise<MailLanguage | null> {
      const { language } = await settings.read(personId)
      return language === 'en' ? 'en' : language === 'de-DE' ? 'de' : null
    },

    update: (
      { personId }: Caller,
      { language, theme, density, notifications }: BodyOf<typeof settingsEndpoints.update>,
      revision: number | undefined,
    ): Promise<Settings> =>
      settings.change(personId, { revision, shown: (value) => value }, (before) => ({
        ...(language !== undefined && { language }),
        ...(theme !== undefined && { theme }),
        ...(density !== undefined && { density }),
        notifications: { ...before.notifications, ...given(notifications ?? {}) },
      })),
  }
}
export type SettingsService = ReturnType<typeof createSettingsService>

/** Without what was left out. */
const given = (sent: Partial<Record<string, boolean | undefined>>) =>
  Object.fromEntries(Object.entries(sent).filter(([, isOn]) => isOn !== undefined)) as Record<string, boolean>
