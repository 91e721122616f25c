import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { renewNameOrder } from '#platform/database/name-order.ts'
import { createStoreNotes } from '#platform/places/place-marks.ts'
import manifest from '../../package.json' with { type: 'json' }
import { createAuditArchive } from '../audit/archive/audit-archive.ts'
import { checkedRecently } from '../auth/permissions.ts'
import { addEdgeDeckRoutes } from '../edges/decks/deck.routes.ts'
import { addEdgeRoutes } from '../edges/edge.routes.ts'
import { createEdgeService } from '../edges/edge.service.ts'
import { addEdgeGroupRoutes } from '../edges/groups/group.routes.ts'
import { addEdgeJobRoutes } from '../edges/jobs/job.routes.ts'
import { addJoiningRoutes } from '../edges/joining/joining.routes.ts'
import { sweepRefused } from '../edges/joining/joining.ts'
import { createEdgeReleaseKeys } from '../edges/releases/edge-release-keys.ts'
import { createEdgeReleases } from '../edges/releases/edge-releases.ts'
import { addEdgeScheduleRoutes } from '../edges/schedules/schedule.routes.ts'
import { createValuesQuota, sweepEdgeValues } from '../edges/values/clean-up.ts'
import { addValuesGrowthRoutes } from '../edges/values/growth.routes.ts'
import { rollUpEdgeValues } from '../edges/values/roll-up.ts'
import { sweepExtensionFailures } from '../extensions/failures/extension-failures.ts'
import { addFileRoutes } from '../files/file.routes.ts'
import { createFileService } from '../files/file.service.ts'
import { addFileContentRoute } from '../files/file-content.route.ts'
import { openFileStore } from '../files/open-store.ts'
import { openSpaceLimits } from '../files/space.ts'
import { addUploadRoutes } from '../files/upload.routes.ts'
import { createUploadService, newFilename } from '../files/upload.service.ts'
import { addHomeRoutes } from '../home/home.routes.ts'
import { createMakeFormats } from '../media/make-formats.ts'
import { addMediaRoutes } from '../media/media.routes.ts'
import { createMediaService, mediaOf } from '../media/media.service.ts'
import { createTranscodeKind } from '../media/media-transcode.ts'
import { actingPerson } from '../projects/acting-person.ts'
import { createAppRole } from '../projects/app-role.ts'
import { addExportRoutes, createStartExport } from '../projects/export/export.routes.ts'
import { createExportKind, exportType } from '../projects/export/project-export.ts'
import { addImportRoutes } from '../projects/import/import.routes.ts'
import { createImportKind, importType } from '../projects/import/project-import.ts'
import { addInviteBatchRoutes } from '../projects/invite-batch/invite-batch.routes.ts'
import {
  createInviteBatchKind,
  inviteBatchType,
  sweepBatchInvitations,
} from '../projects/invite-batch/invite-batch.ts'
import { createStartWithUpload } from '../projects/start-with-upload.ts'
import { createWriterCheck } from '../projects/writer-check.ts'
import { addSettingsRoutes } from '../settings/settings.routes.ts'
import { createKeyActions, createPressKey } from '../settings/stream-decks/press-key.ts'
import { addStreamDeckRoutes } from '../settings/stream-decks/stream-deck.routes.ts'
import { createStreamDeckService } from '../settings/stream-decks/stream-deck.service.ts'
import { createWallpapers } from '../settings/stream-decks/wallpapers.ts'
import { createDriverService } from '../tasks/driver.service.ts'
import { createReports } from '../tasks/reports.ts'
import { sweepTaskLogs, sweepTasks } from '../tasks/sweep-tasks.ts'
import { addTaskRoutes } from '../tasks/task.routes.ts'
import { createTaskService } from '../tasks/task.service.ts'
import { createTaskEngine } from '../tasks/task-engine.ts'
import { createTaskDriverPermissions } from '../tasks/tokens/task-driver.ts'
import { createTaskTokenService } from '../tasks/tokens/task-token.service.ts'
import type { Foundation } from './foundation.ts'
import type { Identity } from './identity.ts'
import type { Projects } from './projects.ts'

/** Output of `tools/build-edge-agent.ts`. */
const agentFile = fileURLToPath(new URL('../../../../dist/edge-agent/edge-agent.mjs', import.meta.url))

/** Files, media, edges and Stream Decks, and the tasks that work with them. */
export async function composeWork(
  http: FastifyInstance,
  foundation: Foundation,
  { attempts }: Identity,
  { projects, organisations, grants, targetInvitations, accessRequests, countNotes }: Projects,
) {
  const { config, db, events, jobs, secrets, log, people, settings, mailer, audit, products, publicUrl } =
    foundation
  const { replicas } = foundation
  const { dataFolder, disk } = foundation
  const fileDriver = await openFileStore(config, dataFolder, disk.admit, createStoreNotes(db))
  const space = await openSpaceLimits(config, fileDriver)
  const files = createFileService({
    db,
    driver: fileDriver,
    secrets,
    jobs,
    isVisible: projects.isVisible,
    space,
    now: events.now,
  })
  const uploads = createUploadService({
    db,
    driver: fileDriver,
    checkProject: createWriterCheck({ projects, products }),
    space,
    admit: foundation.disk.admit,
  })
  const edgeRole = createAppRole('edges', { db, projects, products })
  const edgeManagerRole = createAppRole('edges:manage', { db, projects, products })
  const releaseKeys = createEdgeReleaseKeys({ db, secrets, audit })
  const edges = createEdgeService({
    db,
    secrets,
    reads: replicas,
    events,
    audit,
    attempts,
    mailer,
    projects,
    startTask: (trx, emit, order) => tasks.start(trx, emit, order),
    managersAmong: edgeManagerRole.holdersAmong,
    managers: edgeManagerRole.permission,
    products,
    actingPerson: (personId) => actingPerson(people, personId),
    actOnKey: (who, action) => actOnKey(who, action),
    releaseKey: releaseKeys.publicKey,
    agentVersion: manifest.version,
    publicUrl,
    trustedProxies: config.trustedProxies,
    strangersMax: config.unauthenticatedSockets,
    clock: foundation.clock,
    graceTime: foundation.edgeGraceTime,
    log,
  })
  const reports = createReports({ events, log })
  const makeFormats = createMakeFormats({ events, files: files.files })
  const engine = createTaskEngine({
    db,
    events,
    files: files.files,
    reports,
    clock: foundation.clock,
    log,
    kinds: [
      ...edges.kinds,
      createTranscodeKind({ db, makeFormats }),
      createExportKind({
        db,
        reads: replicas,
        files: files.files,
        audit,
        people,
        products,
        projects,
        mediaOf,
      }),
      createImportKind({
        db,
        events,
        audit,
        files: files.files,
        people,
        products,
        projects,
        grants,
        mediaOf,
        makeFormats,
      }),
      createInviteBatchKind({
        files: files.files,
        people,
        products,
        projects,
        invitations: targetInvitations,
      }),
      ...(foundation.taskKinds ?? []),
    ],
  })
  const tasks = createTaskService({ db, events, audit, projects, files: files.files, engine, log })
  const { archiveAudit } = createAuditArchive({ driver: fileDriver, newFilename, audit, log })
  const media = createMediaService({ db, files: files.files, tasks })
  const mediaRole = createAppRole('media-library', { db, projects, products })
  const mediaEditRole = createAppRole('media-library:edit', { db, projects, products })
  const startWithUpload = createStartWithUpload({ events, files: files.files, tasks })
  const taskTokens = createTaskTokenService({ db, audit, projects, products })
  const taskDrivers = createTaskDriverPermissions({ tokens: taskTokens, projects })
  const startExport = createStartExport({ events, audit, projects, tasks })
  const checkImport = checkedRecently(projects.checkEdited)
  const checkBatch = checkedRecently(projects.checkOwned)
  const wallpapers = createWallpapers({
    files: files.files,
    async findMedium(caller, { projectId, mediumId }) {
      await mediaRole.permission.decide(caller, { projectId })
      return media.store(db, { projectId }, caller).find(mediumId)
    },
  })
  const actOnKey = createKeyActions({
    products,
    findProject: projects.read,
    tasks,
    startable: new Map([
      [exportType, (caller, projectId, address) => startExport.start(caller, { projectId }, address)],
    ]),
    edgeReaders: edgeRole.permission,
    findEdge: edges.read,
    edgeManagers: edgeManagerRole.permission,
    edges,
  })

  addFileRoutes(http, { files, uploads, allow: taskDrivers.signedInOrDriver })
  addUploadRoutes(http, uploads)
  addFileContentRoute(http, { files, driver: fileDriver })
  addMediaRoutes(http, {
    db,
    events,
    audit,
    media,
    allow: { read: mediaRole.permission, write: mediaEditRole.permission },
  })
  addExportRoutes(http, startExport)
  addImportRoutes(http, { check: checkImport, startWithUpload })
  addHomeRoutes(http, {
    projects,
    organisations,
    edges,
    tasks,
    audit,
    invitations: targetInvitations,
    accessRequests,
    products,
    count: {
      notes: (caller, projectId) => countNotes({ projectId, personId: caller.personId }),
      media: async (caller, projectId) =>
        (await media.store(db, { projectId }, caller).list({ limit: '1' })).total,
    },
  })
  addInviteBatchRoutes(http, { check: checkBatch, startWithUpload })
  addTaskRoutes(http, {
    tasks,
    retryKinds: new Map([
      [exportType, startExport.retry],
      [importType, startWithUpload.retryKind(importType, checkImport)],
      [inviteBatchType, startWithUpload.retryKind(inviteBatchType, checkBatch)],
    ]),
    drivers: createDriverService({ db, events, reports, files: files.files, people, projects, products }),
    tokens: taskTokens,
    projects,
    driver: taskDrivers.driver,
  })
  addSettingsRoutes(http, settings)
  addStreamDeckRoutes(
    http,
    createStreamDeckService({
      db,
      events,
      wallpapers,
      pressKey: createPressKey({ audit, act: actOnKey, log }),
    }),
  )
  const allowEdges = { read: edgeRole.permission, manage: edgeManagerRole.permission }
  addEdgeRoutes(http, {
    edges,
    releases: createEdgeReleases({ keys: releaseKeys, agentFile }),
    allow: allowEdges,
  })
  addEdgeDeckRoutes(http, { keys: edges.deckKeys, allow: allowEdges })
  addEdgeGroupRoutes(http, { db, events, audit, allow: allowEdges })
  addEdgeJobRoutes(http, { jobs: edges.jobs, allow: allowEdges })
  addEdgeScheduleRoutes(http, { db, events, audit, allow: allowEdges })
  addJoiningRoutes(http, { edges, allow: allowEdges })
  addValuesGrowthRoutes(http, { db, quota: config.edgeValuesQuota, allow: edgeRole.permission })

  return {
    files,
    fileDriver,
    space,
    tasks,
    engine,
    reports,
    edges,
    edgeRole,
    mediaRole,
    sweepRemovedMedia: media.sweepRemovedMedia,
    frequentSweeps: [
      media.sweepRemovedMedia,
      tasks.sweepArchivings,
      rollUpEdgeValues,
      createValuesQuota(config.edgeValuesQuota, log),
    ],
    archiveAudit,
    sweeps: [
      tasks.archiveLeft,
      sweepTasks,
      sweepTaskLogs,
      sweepBatchInvitations,
      archiveAudit,
      files.sweepFiles,
      sweepEdgeValues,
      sweepRefused,
      renewNameOrder,
      sweepExtensionFailures,
    ],
  }
}
