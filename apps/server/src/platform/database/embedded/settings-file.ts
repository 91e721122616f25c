import { randomBytes } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createOwnedFile } from '../../places/owner.ts'
import type { Binaries } from './binaries.ts'
import type { DataFolder } from './data-folder.ts'

export interface SettingsFiles {
  settings: string
  access: string
}

export const clusterName = (folder: DataFolder) => `pult-${folder.id}`

/** Rewrites the settings at each start of PostgreSQL, so that an upgrade of Pult can change them. */
export async function writeSettings(folder: DataFolder, binaries: Binaries): Promise<SettingsFiles> {
  const files = { settings: join(folder.server, 'settings.conf'), access: join(folder.server, 'access.conf') }
  await writeWhenChanged(files.settings, settingsFor(folder, binaries))
  await writeWhenChanged(files.access, accessRules)
  return files
}

/** Writes only on a change, so that a full disk does not prevent a start that needs none. */
async function writeWhenChanged(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return
  const unfinished = `${path}.new-${randomBytes(4).toString('hex')}`
  try {
    const file = await createOwnedFile(unfinished, 0o644)
    try {
      await file.writeFile(text)
      // Independent of the umask: PostgreSQL's user must read the settings, which contain no secrets.
      await file.chmod(0o644)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

const accessRules = `# Written by Pult at each start. Only the server's user can enter the folder of the socket.
local all all trust
`

const settingsFor = (
  folder: DataFolder,
  { major }: Binaries,
) => `# Written by Pult at each start, which discards changes to this file. Set other parameters in
# ../${basename(folder.cluster)}/postgresql.conf. ALTER SYSTEM (as the role postgres) overrides both.
include '../${basename(folder.cluster)}/postgresql.conf'

cluster_name = '${clusterName(folder)}'
unix_socket_permissions = 0700
max_connections = 80

# No acknowledged write is lost.
fsync = on
full_page_writes = on
synchronous_commit = on
# Required for an online copy (pg_backup_start).
wal_level = replica

# Small: background processes that Pult does not need are off.
shared_buffers = 32MB
maintenance_work_mem = 32MB
max_wal_size = 256MB
min_wal_size = 32MB
huge_pages = off
${major >= 18 ? 'io_method = sync\n' : ''}max_worker_processes = 2
max_parallel_workers = 0
max_parallel_workers_per_gather = 0
max_parallel_maintenance_workers = 0
max_logical_replication_workers = 0
max_wal_senders = 0
max_replication_slots = 0
autovacuum_max_workers = 2

# One file, whose size Pult limits. Statement errors go only to the caller, because their texts contain values.
logging_collector = off
log_destination = 'stderr'
log_line_prefix = '%m [%p] '
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_checkpoints = off
log_timezone = 'UTC'
timezone = 'UTC'
lc_messages = 'C'
`
