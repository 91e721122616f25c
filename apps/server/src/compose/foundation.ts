import { join } from 'node:path'
import type { Build } from '@pult/contract'
import { createClock } from '#platform/clock.ts'
import type { DatabaseConnection, OpenDatabase } from '#platform/database/database.ts'
import { sweepIdempotency } from '#platform/database/idempotency.ts'
import { normaliseTexts } from '#platform/database/normalise-texts.ts'
import { createReplicas } from '#platform/database/replicas.ts'
import { createDiskSpace, type Space } from '#platform/disk-space.ts'
import { createCleanUpFailures } from '#platform/jobs/clean-up-failures.ts'
import { createJobs } from '#platform/jobs/jobs.ts'
import type { Log } from '#platform/log.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'
import { createMailFolder } from '#platform/mail/mail-folder.ts'
import { createMailer } from '#platform/mail/mailer.ts'
import { sweepMails } from '#platform/mail/outbox.repository.ts'
import { createSmtp } from '#platform/mail/smtp.ts'
import { createEvents, sweepEvents } from '#platform/realtime/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import { createAuditService } from '../audit/audit.service.ts'
import { sweepBackupRuns } from '../backup/backup-run.repository.ts'
import type { Config } from '../config.ts'
import { createExtensionService } from '../extensions/extension.service.ts'
import { createProductRegistry } from '../extensions/manifests/product-registry.ts'
import { createInstallationService } from '../installation/installation.service.ts'
import type { RestoreFailure, RestoreOrder } from '../installation/setup-restore.ts'
import { createPeopleService } from '../people/people.service.ts'
import { announceAccess } from '../projects/announcements.ts'
import { createSettingsService } from '../settings/settings.service.ts'
import type { TaskKind } from '../tasks/task-kind.ts'
import { createLinkIssuer } from '../token-links/issue-link.ts'
import type { UnknownSetting } from '../unknown-settings.ts'

export interface AppParts {
  config: Config
  build: Build
  database: OpenDatabase
  /** The connection pool for work that takes longer than a call may take. */
  background: OpenDatabase
  /** A few connections by which this node proves that it works, however busy the other pools are. */
  vital: OpenDatabase
  connection: DatabaseConnection
  secrets: Secrets
  log: Log
  /** The folder of this node's data outside the database. */
  dataFolder: string
  /** Receives each sent mail, to print it. */
  onMail?: ((mail: OutgoingMail) => void) | undefined
  /** The bundled extensions, one folder each. */
  extensionsFolder: string
  /** The folder of the built console; null serves the API alone. */
  consoleFolder: string | null
  /** Kinds of tasks in addition to those of the rooms. */
  taskKinds?: readonly TaskKind[] | undefined
  /** Replaces the retry delay of background jobs, in seconds. */
  jobRetryDelay?: number
  /** Replaces the time of grace for absent edges, in milliseconds. */
  edgeGraceTime?: number | undefined
  /** Replaces the time after which the clocks count as steady, in milliseconds. */
  clockSteadyAfter?: number | undefined
  /** Replaces the time within which a part must prove that it works, in milliseconds. */
  readyPatience?: number | undefined
  /** Replaces the reading of free space. */
  probeDisk?: ((folder: string) => Promise<Space>) | undefined
  /** Stops the server, restores a backup, and starts the server again. */
  restore?: ((order: RestoreOrder) => void) | undefined
  /** Why an earlier restore of this process failed. */
  restoreFailure?: RestoreFailure | undefined
  /** Variables of the environment that look like misspelt settings. */
  unknownSettings?: readonly UnknownSetting[] | undefined
  /** Treats the installation as set up although it has no root. */
  isSetUp?: boolean | undefined
}

/** Services that every room uses, and the extensions, which define the products. */
export type Foundation = Awaited<ReturnType<typeof composeFoundation>>

export async function composeFoundation(parts: AppParts) {
  const { config, database, connection, secrets, log } = parts
  const { db } = database
  const clock = createClock({ log, steadyAfter: parts.clockSteadyAfter })
  const events = createEvents({ db, connection, log })
  const jobs = createJobs({ connection, log, clock, retryDelay: parts.jobRetryDelay })
  const { filesFolder = join(parts.dataFolder, 'files') } = config
  const disk = createDiskSpace({
    folders: [parts.dataFolder, ...(config.filesS3 === undefined ? [filesFolder] : [])],
    reserve: config.diskReserve,
    log,
    probe: parts.probeDisk,
  })
  const from = config.mailFrom
  const deliver =
    config.smtpUrl === undefined
      ? createMailFolder({ folder: join(parts.dataFolder, 'mail'), from })
      : createSmtp({ url: config.smtpUrl, from, host: new URL(config.publicUrl).hostname })
  const settings = createSettingsService({ db, events })
  const people = createPeopleService(db)
  const installation = createInstallationService({ ...parts, db })
  const mailLanguageOf = async ({ to, language }: OutgoingMail) => {
    const person = await people.findByVerifiedEmail(to)
    const chosen = person === undefined ? null : await settings.chosenLanguageOf(person.id)
    return chosen ?? language ?? (await installation.read()).language
  }
  const mailer = createMailer({
    db,
    secrets,
    jobs,
    log,
    deliver,
    languageOf: mailLanguageOf,
    print: parts.onMail,
  })
  const replicas = createReplicas({ url: config.databaseReplicaUrl, database, log })
  const audit = createAuditService(db, replicas)
  const products = createProductRegistry()
  const extensions = createExtensionService({
    db,
    events,
    audit,
    products,
    folders: {
      bundled: parts.extensionsFolder,
      installed: join(parts.dataFolder, 'extensions'),
      console: parts.consoleFolder,
    },
    announceAccess,
    log,
  })
  await extensions.reload()
  const issueLink = createLinkIssuer(config)
  const { publicUrl } = config
  return {
    ...parts,
    db,
    clock,
    events,
    jobs,
    disk,
    settings,
    people,
    installation,
    mailer,
    audit,
    replicas,
    products,
    extensions,
    issueLink,
    publicUrl,
    cleanUpFailures: createCleanUpFailures(),
    sweeps: [sweepMails, sweepIdempotency, sweepBackupRuns, normaliseTexts],
    frequentSweeps: [sweepEvents],
  }
}
