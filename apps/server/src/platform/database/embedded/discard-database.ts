import { rm, stat } from 'node:fs/promises'
import { openDataFolder } from './data-folder.ts'
import { whenAlone } from './embedded-database.ts'
import { withExclusiveLock } from './file-lock.ts'
import { createServer } from './server.ts'
import { chooseServerUser } from './server-user.ts'

const lockLimit = 30_000

/** Stops the database of a folder and deletes the folder, unless a process uses it. Returns whether nothing is left. */
export async function discardDatabase(dataFolder: string): Promise<boolean> {
  if ((await stat(dataFolder).catch(() => undefined)) === undefined) return true
  const log = () => {}
  const folder = await openDataFolder(dataFolder)
  return withExclusiveLock(folder.startLock, { limit: lockLimit, onLongWait: log }, async () => {
    const user = await chooseServerUser(folder.cluster)
    return whenAlone(folder, async () => {
      await createServer({ folder, user, log }).stop()
      await rm(dataFolder, { recursive: true, force: true })
    })
  })
}
