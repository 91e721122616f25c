import os from 'node:os'
import type { Build, Condition, Diagnostics } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Config } from '../config.ts'

/** Number of tables listed by size. */
const tablesMost = 20

/**
 * Returns the facts that support needs, without secrets and without names of people, projects and hosts. It is an
 * allowlist: a new setting or part is left out until it is added here.
 */
export async function readDiagnostics(
  db: Kysely<Database>,
  { config, build, condition }: { config: Config; build: Build; condition: Condition },
): Promise<Diagnostics> {
  const { database, files, mail, signIn, nodes, jobs, extensions, checks, checkedAt } = condition
  return {
    createdAt: new Date().toISOString(),
    checkedAt,
    build,
    machine: {
      node: process.version,
      platform: process.platform,
      architecture: process.arch,
      processors: os.availableParallelism(),
      memory: os.totalmem(),
    },
    settings: settingsOf(config),
    // The texts of checks contain names and addresses.
    checks: checks.map(({ id, level }) => ({ id, level })),
    database: database && { ...database, ...(await readTables(db)) },
    files: files && {
      store: files.store,
      size: files.size,
      free: files.free,
      limit: files.limit,
      largest: files.byProject.map(({ size }) => size),
    },
    mail: mail && {
      isSetUp: mail.server !== null,
      lastSent: mail.lastSent,
      waiting: mail.waiting,
      failed: mail.failed,
      refused: mail.refused.total,
      isStuck: mail.trouble !== null,
    },
    signIn: signIn && { ...signIn, rootsAtRisk: signIn.rootsAtRisk.total },
    nodes: nodes && nodes.map(({ name: _name, ...node }) => node),
    jobs,
    extensions: extensions && {
      enabled: extensions.enabled,
      disabled: extensions.disabled,
      inTrouble: extensions.inTrouble.map(({ id, problem }) => ({ id, problem })),
    },
  }
}

/** Returns the values of limits and switches, and for all other settings only whether they are set. */
function settingsOf(config: Config): Diagnostics['settings'] {
  const { backup } = config
  const isSet = (value: unknown) => (value === undefined || value === null ? 'not set' : 'set')
  return {
    PORT: config.port,
    PULT_URL: new URL(config.publicUrl).protocol,
    DATABASE_URL: isSet(config.databaseUrl),
    DATABASE_REPLICA_URL: isSet(config.databaseReplicaUrl),
    SMTP_URL: isSet(config.smtpUrl),
    TRUSTED_PROXIES: config.trustedProxies.length,
    DEV_ORIGINS: config.devOrigins.length,
    SERVICE_WORKER: config.serviceWorker,
    FILE_MAX_SIZE: config.fileMaxSize,
    FILE_QUOTA: config.fileQuota,
    FILE_TOTAL: config.fileTotal ?? null,
    EDGE_VALUES_QUOTA: config.edgeValuesQuota,
    DISK_RESERVE: config.diskReserve,
    FILES_FOLDER: isSet(config.filesFolder),
    FILES_S3_BUCKET: isSet(config.filesS3),
    PROJECTS_PER_PERSON: config.projectsPerPerson,
    ORGANISATIONS_PER_PERSON: config.organisationsPerPerson,
    PASSKEY_OPTIONS_PER_NETWORK: config.passkeyOptionsPerNetwork,
    UNAUTHENTICATED_SOCKETS: config.unauthenticatedSockets.all,
    UNAUTHENTICATED_SOCKETS_PER_NETWORK: config.unauthenticatedSockets.network,
    ACCESS_LOG: config.accessLog,
    METRICS_TOKEN: isSet(config.metricsToken),
    OTEL_EXPORTER_OTLP_ENDPOINT: isSet(config.tracing),
    BACKUP_FOLDER: isSet(backup.folder),
    BACKUP_RECIPIENT: isSet(backup.recipient),
    BACKUP_KEEP: backup.keep,
    BACKUP_KEEP_DAYS: backup.keepDays ?? null,
    BACKUP_SCHEDULE: backup.schedule,
    BACKUP_HOUR: backup.hour,
    BACKUP_DRILL: backup.drill,
    STOP_DELAY: config.stopDelay,
    LOG_LEVEL: config.logLevel,
  }
}

async function readTables(
  db: Kysely<Database>,
): Promise<Pick<NonNullable<Diagnostics['database']>, 'migration' | 'tables'>> {
  const [{ rows: migrations }, { rows: tables }] = await Promise.all([
    sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`.execute(db),
    sql<{ name: string; rows: number; size: number }>`
      select relname as name, n_live_tup as rows, pg_total_relation_size(relid) as size
      from pg_stat_user_tables order by size desc limit ${tablesMost}`.execute(db),
  ])
  return { migration: migrations[0]?.name ?? '', tables }
}
