import * as z from 'zod/mini'
import { id, instant, label, lastChange, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { resource } from './resource.ts'
import { task } from './tasks.ts'

export const mediaErrors = {
  NOT_MEDIA: { status: 415, message: 'This file is neither a picture nor a video nor a sound' },
} as const

/** One version of it: what was uploaded comes first, then what was made of it. */
const mediaFormat = z.object({
  /** The format's name: `original`, `large`, `medium`, `thumb`. */
  name: z.string(),
  mime: z.string(),
  /** Good for at least an hour, for `<img>` and the like. */
  url: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Pixels; null for what has none, such as a sound. */
  meta: z.object({ width: z.nullable(z.number()), height: z.nullable(z.number()) }),
})
export type MediaFormat = z.infer<typeof mediaFormat>

/** What can be shown: the same thing in several formats, of which a client takes the one that fits. */
export const mediaSource = z.object({
  type: z.enum(['image', 'video', 'audio']),
  formats: z.array(mediaFormat),
})
export type MediaSource = z.infer<typeof mediaSource>

export const mediaItem = z.object({
  _id: id,
  label: z.string(),
  tags: z.array(z.string()),
  source: mediaSource,
  /** While its formats are made; `failed` when that did not work, and then the original alone is there. */
  state: z.enum(['processing', 'ready', 'failed']),
  /** The task that makes the formats, as long as it is listed. */
  task: z.nullable(id),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type MediaItem = z.infer<typeof mediaItem>

const tags = z
  .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(50), z.regex(/^\P{Cc}*$/u)))
  .check(z.maxLength(limits.mediaTagsMax))
/** `filename` of an upload for the same project. */
const file = z.string().check(z.minLength(1), z.maxLength(200))

/**
 * The media of a project, for those with the role `media-library` and changes for `media-library:edit`. Search knows
 * label, tag, type and mime. Changes are told on `/projects/{id}/media`. The command `transcode` of `exec` makes the formats
 * of a picture anew when that had failed.
 */
export const mediaEndpoints = {
  ...resource('/projects/:projectId/media', {
    name: 'medium',
    item: mediaItem,
    input: z.strictObject({ file, label: z.optional(label), tags: z.optional(tags) }),
    /** Another `file` takes the place of the one before; its formats are made anew. */
    change: z.strictObject({ label: z.optional(label), tags: z.optional(tags), file: z.optional(file) }),
    errors: ['NOT_MEDIA', 'UPLOAD_INCOMPLETE', 'IMAGE_TOO_LARGE', 'TOO_MANY_TASKS'],
  }),
  tags: endpoint('GET', '/projects/:projectId/media-tags', {
    summary: 'The tags that the media of a project carry, most used first.',
    reply: z.object({ items: z.array(z.object({ tag: z.string(), count: z.number() })), total: z.number() }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}

/** Tasks that people start themselves. Each answers the task, which is listed from then on. */
export const projectTaskEndpoints = {
  export: endpoint('POST', '/projects/:projectId/export', {
    summary:
      'Makes a ZIP of the project: settings, grants, tasks, media, audit log. For those who may edit it.',
    body: z.strictObject({
      /** What to leave out of it. */
      without: z.optional(z.array(z.enum(['media', 'audit', 'tasks'])).check(z.maxLength(3))),
    }),
    reply: task,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'TOO_MANY_TASKS'],
  }),
  import: endpoint('POST', '/projects/:projectId/import', {
    summary:
      'Brings what an exported ZIP contains into a project: settings, media, and with root the grants of people known here. For those who may edit it.',
    body: z.strictObject({ file }),
    reply: task,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'UPLOAD_INCOMPLETE', 'TOO_MANY_TASKS'],
  }),
  inviteAll: endpoint('POST', '/projects/:projectId/invite-batch', {
    summary:
      'Invites the people of a CSV (columns email and productRole) one after the other; the report says what became of each line. For the owner and root.',
    body: z.strictObject({ file }),
    reply: task,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'UPLOAD_INCOMPLETE', 'TOO_MANY_TASKS'],
  }),
}
