import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '#platform/database/database.ts'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import { createJobs } from '#platform/jobs/jobs.ts'
import { createLog } from '#platform/log.ts'
import { createFileService } from '../file.service.ts'

// Stores one file, for a test that kills the process before a record uses the file. With `half` the content never ends.
const [url = '', folder = '', projectId = '', half] = process.argv.slice(2)
const connection = { connectionString: url }
const { db } = openDatabase({ connection, onError: () => {} })
const { files } = createFileService({
  db,
  driver: createDiskFiles(folder),
  secrets: { mac: () => '' } as never,
  jobs: createJobs({ connection, log: createLog('silent'), isWorker: false }),
  isVisible: async () => true,
  now: Date.now,
  space: { fileMax: 10_000_000, quota: 10_000_000, total: undefined },
})

async function* bytes() {
  // More than one buffer, so that some bytes reach the disk.
  yield Buffer.alloc(2_000_000)
  if (half === undefined) return
  console.log('half')
  await wait(60_000)
}
await files.keep(
  {
    projectId,
    personId: null,
    readers: 'project',
    name: 'a',
    contentType: 'text/plain',
    lifetime: 3_600_000,
  },
  Readable.from(bytes()),
)
console.log('kept')
await wait(60_000)
