import * as z from 'zod/mini'
import { instant, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'

/*
 * A person's settings for the console. They belong to the account, so they are the same in every browser. Changes are
 * published to that person only, on the topic `settings`, with `console` or `stream-decks` as the record's id.
 */

/** Languages of the console; the first is the default, see its `platform/locale.ts`. */
export const languages = ['de', 'en', 'de-DE'] as const
export type Language = (typeof languages)[number]

const theme = z.enum(['light', 'dark', 'system'])
const density = z.enum(['comfortable', 'compact'])

/** Task outcomes that can trigger a notification. */
export const taskNotices = ['created', 'finished', 'rejected', 'timedOut', 'aborted'] as const
export type TaskNotice = (typeof taskNotices)[number]

/** The tasks that the console announces: none, those that the user started, or all of the active project. */
export const taskNoticeScopes = ['off', 'mine', 'all'] as const
const taskNoticeScope = z.enum(taskNoticeScopes)
export type TaskNoticeScope = z.infer<typeof taskNoticeScope>

/** Fields common to all settings. */
export const settingsState = {
  /** 0 before the first change. */
  revision,
  /** Null before the first change. */
  updatedAt: z.nullable(instant),
} as const

const language = z.enum(languages)

/** `app/card` of cards. */
const cards = z.array(z.string().check(z.maxLength(120))).check(z.maxLength(200))

/** How the person arranges the cards of apps on home. Cards that are not listed come last. */
const homeCards = z.strictObject({ order: cards, hidden: cards })
export type HomeCardsOrder = z.infer<typeof homeCards>

export const settings = z.object({
  /** Null until the person chooses: each browser then uses its own choice. */
  language: z.nullable(language),
  /** Null until the person chooses: each browser then uses its own choice. */
  theme: z.nullable(theme),
  density,
  taskNoticeScope,
  /** Root has hidden the first steps on home. */
  hidesFirstSteps: z.boolean(),
  homeCards,
  /** Which changes of these tasks are announced. */
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
      taskNoticeScope: z.optional(taskNoticeScope),
      hidesFirstSteps: z.optional(z.boolean()),
      homeCards: z.optional(homeCards),
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
