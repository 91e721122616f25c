import * as z from 'zod/mini'
import { id, instant, lastChange, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { label } from './label.ts'
import { limits } from './limits.ts'
import { pageOf, pageQuery } from './pages.ts'
import { resource, restorable } from './resource.ts'
import { task } from './tasks.ts'
import { nameText, storedName } from './text.ts'

export const mediaErrors = {
  NOT_MEDIA: { status: 415, message: 'This file is not an image, video or audio file' },
} as const

/** One format of a medium. */
const mediaFormat = z.object({
  /** Name of the format: `original`, `large`, `medium` or `thumb`. */
  name: z.string(),
  mime: z.string(),
  /** Address for elements such as `<img>`, valid for at least an hour. */
  url: z.string(),
  /** Size in bytes. */
  size: z.number(),
  /** Dimensions in pixels; null for media without dimensions, such as audio. */
  meta: z.object({ width: z.nullable(z.number()), height: z.nullable(z.number()) }),
  /** Set for a picture that moves. */
  isAnimated: z.optional(z.boolean()),
})
export type MediaFormat = z.infer<typeof mediaFormat>

/** The largest animation that pages show as it was uploaded: bytes, and pixels of the longest edge. */
const playedBytes = 4 * 1024 * 1024
const playedEdge = 2048

/**
 * Returns whether pages show an uploaded animation as it is, if no other format of it moves. A larger one is shown by a
 * still until a user plays it.
 */
export const isPlayedAsUploaded = ({
  size,
  width,
  height,
}: {
  /** Bytes. */
  size: number
  /** Pixels. */
  width: number | null
  height: number | null
}): boolean => size <= playedBytes && Math.max(width ?? 0, height ?? 0) <= playedEdge

/** Content of a medium in several formats, the original first. A client chooses the format that fits. */
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
  /** `processing` while the formats are generated; `failed` if only the original is available. */
  state: z.enum(['processing', 'ready', 'failed']),
  /**
   * Remarks about a picture: `damaged`, parts of it are missing; `still`, it moves, but the formats do not;
   * `unconverted`, not all formats could be generated, and pages show the original. Later releases may add others, and
   * earlier ones omit the field.
   */
  notes: z._default(z.array(z.string()), []),
  /** The task that generates the formats, while it is listed. */
  task: z.nullable(id),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type MediaItem = z.infer<typeof mediaItem>

/** A type of media, or `failed` for images whose formats could not be generated. */
const mediaKind = z.enum(['image', 'video', 'audio', 'failed'])
export type MediaKind = z.infer<typeof mediaKind>

/** Media that match the search, by kind, regardless of the `kind` filter. A failed image also counts as an image. */
const mediaCounts = z.object({
  image: z.number(),
  video: z.number(),
  audio: z.number(),
  failed: z.number(),
  /** True if more than 10,000 media match: only 10,000 are counted. */
  isCapped: z.boolean(),
})
export type MediaCounts = z.infer<typeof mediaCounts>

/** `-` reverses the order. */
const mediaSort = z.enum(['created', '-created', 'label', '-label'])
export type MediaSort = z.infer<typeof mediaSort>

export const mediaTag = nameText(limits.mediaTagMax)
const tags = z.array(mediaTag).check(z.maxLength(limits.mediaTagsMax))
/** With the tags of the medium as they are stored, even with hidden characters of an earlier release. */
const changedTags = z.array(storedName(limits.mediaTagMax)).check(z.maxLength(limits.mediaTagsMax))
/** `filename` of an upload for the same project. */
const file = z.string().check(z.minLength(1), z.maxLength(200))

/**
 * The media of a project. Reading needs the role `media-library`, changes need `media-library:edit`. Search supports
 * label, tag, type and mime. Changes are published on `/projects/{id}/media`. The `exec` command `transcode` generates
 * the formats of an image again.
 */
export const mediaEndpoints = {
  ...resource('/projects/:projectId/media', {
    name: 'medium',
    item: mediaItem,
    input: z.strictObject({ file, label: z.optional(label), tags: z.optional(tags) }),
    /** Another `file` replaces the current one; its formats are generated again. */
    change: z.strictObject({
      label: z.optional(label),
      tags: z.optional(changedTags),
      file: z.optional(file),
    }),
    errors: ['NOT_MEDIA', 'UPLOAD_INCOMPLETE', 'IMAGE_TOO_LARGE', 'TOO_MANY_TASKS', 'PROJECT_FULL'],
  }),
  ...restorable('/projects/:projectId/media', { name: 'medium', item: mediaItem, errors: ['PROJECT_FULL'] }),
  list: endpoint('GET', '/projects/:projectId/media', {
    summary:
      'Lists the media of a project, newest first unless sorted otherwise; search supports label, tag, type and mime.',
    query: z.strictObject({ ...pageQuery.shape, kind: z.optional(mediaKind), sort: z.optional(mediaSort) }),
    reply: z.object({ ...pageOf(mediaItem).shape, counts: mediaCounts }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
  tags: endpoint('GET', '/projects/:projectId/media-tags', {
    summary: 'Returns the 1,000 most used tags of a project’s media and the number of all tags.',
    reply: z.object({ items: z.array(z.object({ tag: z.string(), count: z.number() })), total: z.number() }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}

/** Tasks that users start. Each call returns the listed task. */
export const projectTaskEndpoints = {
  export: endpoint('POST', '/projects/:projectId/export', {
    summary:
      'Exports a project that the caller may edit as a ZIP of its settings, grants, tasks, media and audit log; idempotent with an Idempotency-Key.',
    body: z.strictObject({
      /** Parts to omit from the ZIP. */
      without: z.optional(z.array(z.enum(['media', 'audit', 'tasks'])).check(z.maxLength(3))),
    }),
    reply: task,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'TOO_MANY_TASKS', 'RECENT_SIGN_IN_NEEDED'],
  }),
  import: endpoint('POST', '/projects/:projectId/import', {
    summary:
      'Imports an exported ZIP into a project that the caller may edit: settings, media and, for root, the grants of users of this installation.',
    body: z.strictObject({ file }),
    reply: task,
    errors: [
      'UNAUTHENTICATED',
      'NOT_FOUND',
      'FORBIDDEN',
      'UPLOAD_INCOMPLETE',
      'TOO_MANY_TASKS',
      'RECENT_SIGN_IN_NEEDED',
    ],
  }),
  inviteAll: endpoint('POST', '/projects/:projectId/invite-batch', {
    summary:
      'Invites the addresses of a CSV (columns email and productRole), for the owner and root; the task reports the result of each line.',
    body: z.strictObject({ file }),
    reply: task,
    errors: [
      'UNAUTHENTICATED',
      'NOT_FOUND',
      'FORBIDDEN',
      'UPLOAD_INCOMPLETE',
      'TOO_MANY_TASKS',
      'RECENT_SIGN_IN_NEEDED',
    ],
  }),
}
