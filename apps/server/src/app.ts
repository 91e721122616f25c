import { apiBase, positionHeader } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { DiskSpace } from '#platform/disk-space.ts'
import { addressOf, networkOf } from '#platform/http/client-address.ts'
import { serveConsole } from '#platform/http/console-files.ts'
import { prepareClose } from '#platform/http/graceful-close.ts'
import { serveGuides } from '#platform/http/guide-pages.ts'
import { describeApi } from '#platform/http/openapi.ts'
import { createHttpServer } from '#platform/http/server.ts'
import { sweepRegularly } from '#platform/jobs/sweep.ts'
import { createRequestMetrics } from '#platform/metrics/request-metrics.ts'
import type { Events } from '#platform/realtime/events.ts'
import { createSocketHub } from '#platform/realtime/socket-hub.ts'
import { closeSocketsOfEndedSessions, createSocketSessions } from './auth/session/session-sockets.ts'
import { addBackupRoutes } from './backup/backup.routes.ts'
import { type BackupService, createBackupService } from './backup/backup.service.ts'
import { type AppParts, composeFoundation } from './compose/foundation.ts'
import { composeIdentity } from './compose/identity.ts'
import { composeProjects } from './compose/projects.ts'
import { composeWork } from './compose/work.ts'
import { addConditionRoutes } from './condition/condition.routes.ts'
import { createConditionService } from './condition/condition.service.ts'
import { createFileStoreWatch, storeInterval } from './condition/file-store-watch.ts'
import { createHeartbeat } from './condition/heartbeat.ts'
import { problemsOfNode } from './condition/node-problems.ts'
import type { Files } from './files/file-store.ts'
import { addFindRoutes } from './find/find.routes.ts'
import { createFindService } from './find/find.service.ts'
import { addFirstStepsRoutes } from './installation/first-steps.ts'
import { addSetupRoutes } from './installation/setup.routes.ts'
import { createSetupRestore } from './installation/setup-restore.ts'
import { createFirstRootLink } from './invitations/first-root.ts'
import type { InvitationService } from './invitations/invitation.service.ts'
import { createPeopleService } from './people/people.service.ts'
import { addRetentionRoutes } from './retention/retention.routes.ts'
import { createRetentionService } from './retention/retention.service.ts'
import { createHealthService } from './system/health.service.ts'
import { createMetricsService } from './system/metrics.service.ts'
import { addMonitoringRoutes } from './system/monitoring.routes.ts'
import { createReadiness } from './system/readiness.ts'
import { addSystemRoutes } from './system/system.routes.ts'
import type { TaskService } from './tasks/task.service.ts'
import { createTopicGuard } from './topics.ts'

export interface App {
  http: FastifyInstance
  invitations: InvitationService
  events: Events
  tasks: TaskService
  /** Returns the types of tasks that this server runs. */
  taskTypes(): string[]
  files: Files
  disk: DiskSpace
  backups: BackupService
  /** Deletes media that can no longer be restored. */
  sweepRemovedMedia(): Promise<void>
  /** Archives audit entries past their retention; it runs every hour. */
  archiveAudit(): Promise<void>
  /** Deletes expired files; it runs every hour. */
  sweepFiles(): Promise<void>
  /** Starts background work: events of other nodes, mail, tasks. */
  start(): Promise<void>
  /** Returns a link for the first root account, or null when a root exists. */
  firstRootLink(): Promise<string | null>
  /** Fails the readiness check from now on, so that a proxy sends new requests to other nodes. */
  withdraw(): void
  stop(): Promise<void>
}

/** The constant style that React Aria adds on iOS while a dialog is open, to stop the page behind it from scrolling. */
const styleHashes = ["'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='"]

/** Composes the server in layers: each receives the services of the layers below it as arguments. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, build, database, log } = parts
  const { db } = database
  const requests = createRequestMetrics()
  let isDiskFull = () => false
  let isStopping = false
  const tracing = config.tracing && (await import('#platform/tracing.ts')).createTracing(config.tracing, log)
  const http = createHttpServer({
    ...config,
    styleHashes,
    log,
    metrics: requests,
    tracing,
    isDiskFull: () => isDiskFull(),
  })
  const closeHttp = prepareClose(http)
  describeApi(http, { ...config, version: build.version })
  serveGuides(http)

  const foundation = await composeFoundation(parts)
  isDiskFull = foundation.disk.isFull
  // Taken before the call reads anything.
  http.addHook('onRequest', async ({ method, url }, reply) => {
    if (method === 'GET' && url.startsWith(`${apiBase}/`)) reply.header(positionHeader, events.position())
  })
  const { clock, events, jobs, disk, audit, extensions, issueLink, installation, replicas } = foundation
  const { cleanUpFailures } = foundation
  const readiness = createReadiness({ ...foundation, patience: parts.readyPatience })
  addSystemRoutes(http, { build, readiness, isStopping: () => isStopping, ...config })
  const { folder, recipient, schedule } = config.backup
  addFirstStepsRoutes(http, {
    db,
    hasMailServer: config.smtpUrl !== undefined,
    hasBackups: folder !== undefined && recipient !== undefined && schedule !== 'off',
  })
  const identity = composeIdentity(http, foundation)
  const rooms = composeProjects(http, foundation, identity)
  const { invitations, organisations, projects, appOpeners, noteRole } = rooms
  const work = await composeWork(http, foundation, identity, rooms)
  const { files, fileDriver, space, tasks, engine, reports, edges, edgeRole, mediaRole } = work

  if (parts.consoleFolder !== null) {
    await serveConsole(http, {
      ...config,
      styleHashes,
      fileOrigins: fileDriver.uploads.kind === 'direct' ? [fileDriver.uploads.origin] : [],
      folder: parts.consoleFolder,
      extensionScripts: extensions.scripts,
      installation: installation.readForDocument,
    })
  }

  const sockets = createSocketHub({
    server: http.server,
    allowedOrigins: [config.publicUrl, ...config.devOrigins],
    build,
    sessions: createSocketSessions({ db, sessions: identity.sessions }),
    events,
    guard: createTopicGuard({
      organisations,
      projects,
      projectRoles: { notes: noteRole, edges: edgeRole, 'edge-jobs': edgeRole, media: mediaRole },
      appOpeners,
      extensionsSettled: extensions.settled,
    }),
    otherHandlers: edges.upgradeHandlers,
    networkOf: (request) => networkOf(addressOf(request, config.trustedProxies)),
    strangersMax: config.unauthenticatedSockets,
    log,
  })
  closeSocketsOfEndedSessions(events, sockets)
  const fileStore = createFileStoreWatch({
    driver: fileDriver,
    log,
    interval: config.filesS3 === undefined ? storeInterval.folder : storeInterval.bucket,
  })
  const heartbeat = createHeartbeat({
    db: parts.vital.db,
    version: build.version,
    count: () => ({ sockets: sockets.open(), edges: edges.connected() }),
    untrustedProxy: () => http.untrustedProxy,
    problems: () =>
      problemsOfNode({
        unready: readiness.latest(),
        fileFailure: fileStore.latest(),
        free: disk.read()?.free,
        lacksInodes: disk.lacksInodes(),
        reserve: disk.reserve,
        publicUrl: config.publicUrl,
        refusedOrigin: sockets.refusedOrigin(),
        unreadableHop: http.unreadableHop,
        clockStep: clock.lastStep(),
        cleanUps: cleanUpFailures.list(),
        twins: edges.foundTwins(),
      }),
    log,
  })
  const backups = createBackupService(foundation)
  addBackupRoutes(http, backups)
  addSetupRoutes(http, {
    installation,
    restore: createSetupRestore({
      ...foundation,
      readBackups: backups.read,
      requireFirstRootLink: rooms.requireFirstRootLink,
      restore: parts.restore,
      restoreFailure: parts.restoreFailure ?? null,
    }),
  })
  const condition = createConditionService({
    ...foundation,
    driver: fileDriver,
    fileStore,
    space,
    heartbeat,
    readBackups: backups.read,
    readiness,
  })
  addConditionRoutes(http, condition)
  addRetentionRoutes(http, createRetentionService(foundation))
  const metrics = createMetricsService({
    ...foundation,
    condition: condition.parts,
    readiness,
    requests,
    pools: { calls: database, background: parts.background, vital: parts.vital },
    hashes: identity.hashes,
    edges,
    sockets,
    backups,
    fileStore,
  })
  const health = createHealthService({
    condition: condition.parts,
    fileStore,
    disk,
    replicas,
    readiness,
  })
  addMonitoringRoutes(http, { metrics, health, token: config.metricsToken, publicUrl: config.publicUrl })
  addFindRoutes(http, createFindService(foundation))
  sweepRegularly({
    jobs,
    db: parts.background.db,
    clock,
    cleanUpFailures,
    log,
    sweeps: [...identity.sweeps, ...rooms.sweeps, ...foundation.sweeps, ...work.sweeps],
    frequentSweeps: [
      ...foundation.frequentSweeps,
      ...identity.frequentSweeps,
      ...rooms.frequentSweeps,
      ...work.frequentSweeps,
    ],
  })

  return {
    http,
    invitations,
    events,
    tasks,
    taskTypes: engine.types,
    files: files.files,
    disk,
    backups,
    sweepRemovedMedia: work.sweepRemovedMedia,
    archiveAudit: () => work.archiveAudit(parts.background.db),
    sweepFiles: () => files.sweepFiles(parts.background.db),
    start: async () => {
      // Cached, so that the first page need not wait for a query.
      await installation.readForDocument()
      // The embedded database has one server only.
      if (config.databaseUrl !== undefined) await heartbeat.share(await fileDriver.identify())
      await installation.noteAddress(config.publicUrl)
      clock.start()
      await disk.refresh()
      disk.start()
      replicas.start()
      const jobsStarted = jobs.start()
      await events.start()
      engine.start()
      edges.start()
      heartbeat.start()
      fileStore.start()
      // Not awaited: a store that does not work must not delay the start. The start has checked a folder already.
      if (config.filesS3 !== undefined) void fileStore.read()
      // Not awaited: the start need not wait for the clean-up after a killed process.
      void backups.recover()
      // `ready` promises that background work runs as well.
      await jobsStarted
      readiness.start()
    },
    firstRootLink: createFirstRootLink({
      db: parts.background.db,
      audit,
      people: createPeopleService(parts.background.db),
      issueLink,
      rootEmail: config.rootEmail,
      publicUrl: config.publicUrl,
      secrets: parts.secrets,
      hasOtherNodes: async () => config.databaseUrl !== undefined && heartbeat.hasOthers(),
    }),
    withdraw: () => {
      isStopping = true
    },
    stop: async () => {
      isStopping = true
      await readiness.stop()
      await sockets.close()
      await Promise.all([closeHttp(), engine.stop(), heartbeat.stop(), fileStore.stop(), backups.stop()])
      await reports.stop()
      await edges.stop()
      await closeHttp()
      await Promise.all([events.stop(), jobs.stop(), replicas.stop(), tracing?.stop()])
      metrics.stop()
      disk.stop()
      clock.stop()
    },
  }
}
