import * as z from 'zod/mini'
import { instant, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'

/*
 * How a person wants the console to be. It belongs to the account, so that it is the same in every browser. A change is
 * told to the person alone, on the topic `settings`, with `console` or `stream-decks` as the record's id.
 */

/** What the console speaks; the first is the default, see its `platform/locale.ts`. */
export const languages = ['de', 'en', 'de-DE'] as const
export type Language = (typeof languages)[number]

const theme = z.enum(['light', 'dark', 'system'])
const density = z.enum(['comfortable', 'compact'])

/** What became of a task that the person is told about with a short message. */
export const taskNotices = ['created', 'finished', 'rejected', 'timedOut', 'aborted'] as const
export type TaskNotice = (typeof taskNotices)[number]

/** What settings say of themselves. */
export const settingsState = {
  /** 0 before the first change. */
  revision,
  /** Null before the first change. */
  updatedAt: z.nullable(instant),
} as const

const language = z.enum(languages)

const settings = z.object({
  /** Null while nobody has chosen: each browser goes by what was chosen in it. */
  language: z.nullable(language),
  /** Null while nobody has chosen: each browser goes by what was chosen in it. */
  theme: z.nullable(theme),
  density,
  /** Which short messages are shown. */
  notifications: z.object({
    created: z.boolean(),
    finished: z.boolean(),
    rejected: z.boolean(),
    timedOut: z.boolean(),
    aborted: z.boolean(),
  }),
  ...settingsState,
})
export type Settings = z.infer<typeof settings>

export const settingsEndpoints = {
  read: endpoint('GET', '/me/settings', {
    summary: 'How the person wants the console to be.',
    reply: settings,
    errors: ['UNAUTHENTICATED'],
  }),
  update: endpoint('PUT', '/me/settings', {
    summary: 'Changes the settings that are sent. If-Match refuses it when another browser was faster.',
    body: z.strictObject({
      language: z.optional(language),
      theme: z.optional(theme),
      density: z.optional(density),
      /** Those that are sent. */
      notifications: z.optional(
        z.strictObject({
          created: z.optional(z.boolean()),
          finished: z.optional(z.boolean()),
          rejected: z.optional(z.boolean()),
          timedOut: z.optional(z.boolean()),
          aborted: z.optional(z.boolean()),
        }),
      ),
    }),
    reply: settings,
    errors: ['UNAUTHENTICATED', 'REVISION_CONFLICT'],
  }),
}
