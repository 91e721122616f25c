import { availableParallelism } from 'node:os'
import { taskMessageOf } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { TaskKind } from '../tasks/task-kind.ts'
import type { MakeFormats } from './make-formats.ts'
import { createMediaRepository } from './media.repository.ts'
import { type TranscodePayload, transcodeType } from './media.service.ts'

/**
 * Deadline in milliseconds. It includes the time in the queue, in which all pictures of a large upload wait on a slow
 * machine. The time limit per format ends a picture that never becomes ready.
 */
const deadline = 7 * 24 * 3_600_000

/** Makes the formats of an uploaded picture. Each core runs one at a time. */
export function createTranscodeKind({
  db,
  makeFormats,
}: {
  db: Kysely<Database>
  makeFormats: MakeFormats
}): TaskKind<TranscodePayload> {
  return {
    type: transcodeType,
    kind: 'info',
    deadline,
    canRestart: true,
    concurrency: availableParallelism(),
    // The medium already belongs to the project, so its formats no longer depend on the person who added it.
    async check() {},
    async run({ projectId, payload, signal }) {
      const medium = await createMediaRepository(db, projectId).stored(payload.mediaId)
      if (medium === undefined) return { info: taskMessageOf('picture-deleted') }
      // An earlier attempt may have committed without an answer.
      const notes = medium.state === 'ready' ? medium.notes : await makeFormats({ projectId, medium }, signal)
      const isConverted = notes?.includes('unconverted') !== true
      return { info: taskMessageOf(isConverted ? 'formats-made' : 'picture-unconverted') }
    },
  }
}
