import { availableParallelism } from 'node:os'
import { taskMessageOf } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { TaskKind } from '../tasks/task-kind.ts'
import type { MakeFormats } from './make-formats.ts'
import { createMediaRepository } from './media.repository.ts'
import { type TranscodePayload, transcodeType } from './media.service.ts'

/** Deadline in milliseconds. Pictures that are uploaded together wait in one queue. */
const deadline = 6 * 3_600_000

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
    async run({ projectId, payload, signal }) {
      const medium = await createMediaRepository(db, projectId).stored(payload.mediaId)
      if (medium === undefined) return { info: taskMessageOf('picture-deleted') }
      // An earlier attempt may have committed without an answer.
      if (medium.state !== 'ready') await makeFormats({ projectId, medium }, signal)
      return { info: taskMessageOf('formats-made') }
    },
  }
}
