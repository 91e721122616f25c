import * as z from 'zod/mini'
import { instant, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'

/*
 * Settings of the console for one account, the same in every browser. Changes are published only to the account's user,
 * on the topic `settings`, with `console` or `stream-decks` as the record's id.
 */

/** Languages of the console, the default first; see `platform/locale.ts` of the console. */
export const languages = ['de', 'en', 'de-DE'] as const
export type Language = (typeof languages)[number]

const theme = z.enum(['light', 'dark', 'system'])
const density = z.enum(['comfortable', 'compact'])

/** Task outcomes that can trigger a notification. */
export const taskNotices = ['created', 'finished', 'rejected', 'timedOut', 'aborted'] as const
export type TaskNotice = (typeof taskNotices)[number]

/** Tasks that the console announces: none, those that the user started, or all tasks of the active project. */
export const taskNoticeScopes = ['off', 'mine', 'all'] as const
const taskNoticeScope = z.enum(taskNoticeScopes)
export type TaskNoticeScope = z.infer<typeof taskNoticeScope>

/** Fields that all settings share. */
export const settingsState = {
  /** 0 before the first change. */
  revision,
  /** Null before the first change. */
  updatedAt: z.nullable(instant),
} as const

const language = z.enum(languages)

/** Cards as `app/card`. */
const cards = z.array(z.string().check(z.maxLength(120))).check(z.maxLength(200))

/** Arrangement of the apps' cards on home. Unlisted cards come last. */
const homeCards = z.strictObject({ order: cards, hidden: cards })
export type HomeCardsOrder = z.infer<typeof homeCards>

export const settings = z.object({
  /** Null until the user chooses: until then each browser uses its local choice. */
  language: z.nullable(language),
  /** Null until the user chooses: until then each browser uses its local choice. */
  theme: z.nullable(theme),
  density,
  taskNoticeScope,
  /** Whether root has hidden the first steps on home. */
  hidesFirstSteps: z.boolean(),
  homeCards,
  /** Task outcomes that the console announces, and the scope of those tasks. */
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
    summary: 'Returns the caller’s settings of the console.',
    reply: settings,
    errors: ['UNAUTHENTICATED'],
  }),
  update: endpoint('PUT', '/me/settings', {
    summary: 'Changes the given settings; If-Match detects concurrent changes.',
    body: z.strictObject({
      language: z.optional(language),
      theme: z.optional(theme),
      density: z.optional(density),
      taskNoticeScope: z.optional(taskNoticeScope),
      hidesFirstSteps: z.optional(z.boolean()),
      homeCards: z.optional(homeCards),
      /** Omitted fields stay unchanged. */
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
