import * as z from 'zod/mini'
import { id, instant, lastChange, revision } from './collection.ts'
import { label } from './label.ts'
import { limits } from './limits.ts'
import { resource, restorable } from './resource.ts'
import { longText } from './text.ts'

/** Shared notes of a project. */
const note = z.object({
  _id: id,
  /** Title of the note. */
  label: z.string(),
  text: z.string(),
  isPinned: z.boolean(),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type Note = z.infer<typeof note>

const text = longText(limits.noteMax)

const path = '/projects/:projectId/notes'

/**
 * Commands of `exec`: `pin` and `unpin`. Pinned notes come first. A page ends after 1 MiB of text: it may have fewer notes
 * than asked for, and `next`.
 */
export const noteEndpoints = {
  ...resource(path, {
    name: 'note',
    item: note,
    input: z.strictObject({ label, text: z.optional(text) }),
    change: z.strictObject({ label: z.optional(label), text: z.optional(text) }),
    errors: ['PROJECT_FULL'],
  }),
  ...restorable(path, { name: 'note', item: note, errors: ['PROJECT_FULL'] }),
}
