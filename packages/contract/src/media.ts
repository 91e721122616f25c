import * as z from 'zod/mini'
import { id, instant, label, lastChange, pageOf, pageQuery, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { resource, restorable } from './resource.ts'
import { task } from './tasks.ts'

export const mediaErrors = {
  NOT_MEDIA: { status: 415, message: 'This file is not a picture, video or sound' },
} as const

/** One format: the uploaded original first, then the generated ones. */
const mediaFormat = z.object({
  /** The format's name: `original`, `large`, `medium`, `thumb`. */
  name: z.string(),
  mime: z.string(),
  /** Good for at least an hour, for `<img>` and the like. */
  url: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Pixels; null for media without dimensions, such as sounds. */
  meta: z.object({ width: z.nullable(z.number()), height: z.nullable(z.number()) }),
})
export type MediaFormat = z.infer<typeof mediaFormat>

/** What can be shown: the same thing in several formats, of which a client takes the one that fits. */
const mediaSource = z.object({
  type: z.enum(['image', 'video', 'audio']),
  formats: z.array(mediaFormat),
})
export type MediaSource = z.infer<typeof mediaSource>

const mediaItem = z.object({
  _id: id,
  label: z.string(),
  tags: z.array(z.string()),
  source: mediaSource,
  /** While its formats are made; `failed` when that did not work, and then the original alone is there. */
  state: z.enum(['processing', 'ready', 'failed']),
  /** The task that generates the formats, while it is listed. */
  task: z.nullable(id),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type MediaItem = z.infer<typeof mediaItem>

/** A type, or the pictures whose formats could not be made. */
const mediaKind = z.enum(['image', 'video', 'audio', 'failed'])
export type MediaKind = z.infer<typeof mediaKind>

/** Media that a search finds, by kind and whatever kind was asked for. A failed picture counts as an image as well. */
const mediaCounts = z.object({
  image: z.number(),
  video: z.number(),
  audio: z.number(),
  failed: z.number(),
  /** Only 10,000 media are counted. */
  isCapped: z.boolean(),
})
export type MediaCounts = z.infer<typeof mediaCounts>

/** `-` before a name reverses the order. */
const mediaSort = z.enum(['created', '-created', 'label', '-label'])
export type MediaSort = z.infer<typeof mediaSort>

const tags = z
  .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(50), z.regex(/^\P{Cc}*$/u)))
  .check(z.maxLength(limits.mediaTagsMax))
/** `filename` of an upload for the same project. */
const file = z.string().check(z.minLength(1), z.maxLength(200))

/**
 * The media of a project. Reading needs the role `media-library`, changes need `media-library:edit`. Search supports
 * label, tag, type and mime. Changes are published on `/projects/{id}/media`. The `exec` command `transcode` retries
 * the formats of a picture after a failure.
 */
export const mediaEndpoints = {
  ...resource('/projects/:projectId/media', {
    name: 'medium',
    item: mediaItem,
    input: z.strictObject({ file, label: z.optional(label), tags: z.optional(tags) }),
    /** Another `file` replaces the current one; its formats are generated again. */
    change: z.strictObject({ label: z.optional(label), tags: z.optional(tags), file: z.optional(file) }),
    errors: ['NOT_MEDIA', 'UPLOAD_INCOMPLETE', 'IMAGE_TOO_LARGE', 'TOO_MANY_TASKS'],
  }),
  ...restorable('/projects/:projectId/media', { name: 'medium', item: mediaItem }),
  list: endpoint('GET', '/projects/:projectId/media', {
    summary:
      'The media of a project, the newest first unless sorted otherwise. Search knows label, tag, type and mime.',
    query: z.strictObject({ ...pageQuery.shape, kind: z.optional(mediaKind), sort: z.optional(mediaSort) }),
    reply: z.object({ ...pageOf(mediaItem).shape, counts: mediaCounts }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
  tags: endpoint('GET', '/projects/:projectId/media-tags', {
    summary: 'The 1,000 most used tags of the media of a project, and the number of all of them.',
    reply: z.object({ items: z.array(z.object({ tag: z.string(), count: z.number() })), total: z.number() }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}

/** Tasks that people start themselves. Each answers the task, which is listed from then on. */
export const projectTaskEndpoints = {
  export: endpoint('POST', '/projects/:projectId/export', {
    summary:
      'Makes a ZIP of the project: settings, grants, tasks, media, audit log. For those who may edit it. Repeatable with an Idempotency-Key.',
    body: z.strictObject({
      /** What to leave out of it. */
      without: z.optional(z.array(z.enum(['media', 'audit', 'tasks'])).check(z.maxLength(3))),
    }),
    reply: task,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'TOO_MANY_TASKS', 'RECENT_SIGN_IN_NEEDED'],
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
