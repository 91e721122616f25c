import type { IncomingMessage } from 'node:http'
import type { Build, Condition, Diagnostics } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import type { Replicas } from '#platform/database/replicas.ts'
import type { DiskSpace, Space } from '#platform/disk-space.ts'
import type { FileDriver } from '#platform/files/file-driver.ts'
import { createStoreProbe } from '#platform/files/store-probe.ts'
import { untrustedProxyOf } from '#platform/http/client-address.ts'
import { type Language, textIn } from '#platform/language.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { createProbe } from '#platform/places/probe.ts'
import { readSpace } from '#platform/places/space.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { BackupReader } from '../backup/read-backups.ts'
import type { Config } from '../config.ts'
import { readValuesGrowth } from '../edges/values/growth.ts'
import type { ExtensionService } from '../extensions/extension.service.ts'
import type { SpaceLimits } from '../files/space.ts'
import type { InstallationService } from '../installation/installation.service.ts'
import type { PeopleService } from '../people/people.service.ts'
import type { UnknownSetting } from '../unknown-settings.ts'
import { checksOf } from './checks.ts'
import { createConditionRepository } from './condition.repository.ts'
import { readDiagnostics } from './diagnostics.ts'
import { type Failure, failureOf } from './failures.ts'
import type { FileStoreWatch } from './file-store-watch.ts'
import type { Heartbeat } from './heartbeat.ts'
import { testLetter } from './test-letter.ts'

interface ConditionReaderParts {
  db: Db
  config: Pick<
    Config,
    'databaseUrl' | 'filesS3' | 'smtpUrl' | 'publicUrl' | 'trustedProxies' | 'diskReserve' | 'edgeValuesQuota'
  >
  /** The folder of the embedded database. */
  dataFolder: string
  /** Replaces the reading of free space. */
  probeDisk?: ((folder: string) => Promise<Space>) | undefined
  build: Pick<Build, 'version'>
  driver: Pick<FileDriver, 'space'>
  fileStore: Pick<FileStoreWatch, 'read'>
  /** The limit of all files, in bytes. */
  space: Pick<SpaceLimits, 'total'>
  extensions: Pick<ExtensionService, 'list'>
  /** Its id is null outside a node. */
  heartbeat: { id: string | null; write: Heartbeat['write'] }
  /** The disks of this node. */
  disk?: Pick<DiskSpace, 'read' | 'lacksInodes'>
  readBackups: BackupReader
  replicas: Pick<Replicas, 'states'>
  unknownSettings?: readonly UnknownSetting[] | undefined
  /** Returns why this node is not ready. */
  readiness: { read(): Promise<Failure | null> }
  log: Log
  /** Milliseconds for which sizes are cached. */
  keepSizes?: number
}

/** An extension is failing if a part of it has failed this often. Single failures may come from one browser. */
const failuresLeast = 5

/** Milliseconds after which a failure of an extension no longer counts. */
const failureCounts = 86_400_000

/** Milliseconds that the folder of the database may take to answer. */
const databasePatience = 2000

interface ConditionServiceParts extends ConditionReaderParts {
  people: Pick<PeopleService, 'verifiedEmailsOf'>
  mailer: Pick<Mailer, 'sendNow'>
  audit: Pick<AuditService, 'recordDone' | 'within'>
  events: Pick<Events, 'transaction'>
  installation: Pick<InstallationService, 'putIntoService'>
  config: Config
  build: Build
}

/** Reads the condition of the installation. */
export function createConditionReader(parts: ConditionReaderParts) {
  const {
    db,
    config,
    dataFolder,
    driver,
    fileStore,
    space,
    extensions,
    heartbeat,
    disk,
    build,
    log,
    readBackups,
    replicas,
    readiness,
  } = parts
  const { keepSizes = 60_000, unknownSettings = [], probeDisk = readSpace } = parts
  const repository = createConditionRepository(db)
  const askSpace = createStoreProbe(() => driver.space())
  const askDatabaseSpace = createProbe({
    call: () => probeDisk(dataFolder),
    patience: databasePatience,
    fault: () => new Error(`${dataFolder} does not answer`),
  })
  const values = () => readValuesGrowth(db, config.edgeValuesQuota)

  /** Returns the free bytes of the disk of the embedded database; undefined if unknown. */
  async function databaseFree(): Promise<number | undefined> {
    if (config.databaseUrl !== undefined) return undefined
    const found = await askDatabaseSpace().catch(() => undefined)
    return found?.free
  }

  /** The parts that could not be read last, with the reason. */
  const failures = new Map<string, Failure>()

  /** A part that cannot be read is null, so that the other parts are shown. The log gets each change of the reason. */
  async function part<Value>(name: string, read: () => Promise<Value>): Promise<Value | null> {
    try {
      const value = await read()
      failures.delete(name)
      return value
    } catch (err) {
      const failure = failureOf(err)
      if (failures.get(name)?.what.de !== failure.what.de)
        log.warn({ err, part: name }, `a part does not work: ${failure.what.de}. ${failure.fix.de}`)
      failures.set(name, failure)
      return null
    }
  }

  const isComplete = (sizes: Pick<Condition, 'database' | 'files'>) =>
    sizes.database !== null && sizes.files !== null
  const readSizes = kept(keepSizes, isComplete, async () => {
    const [database, files] = await Promise.all([
      part('database', async () => ({
        // First, so that the larger queries do not delay it.
        answersIn: await repository.answersIn(),
        ...(await repository.database()),
        isEmbedded: config.databaseUrl === undefined,
      })),
      part('files', async () => ({
        ...(await repository.files()),
        store: config.filesS3 === undefined ? ('folder' as const) : ('s3' as const),
        free: (await askSpace())?.free ?? null,
        limit: space.total ?? null,
      })),
    ])
    return { checkedAt: new Date().toISOString(), database, files }
  })

  async function readExtensions(language: Language) {
    const all = await extensions.list(language)
    const enabled = all.filter(({ isEnabled }) => isEnabled)
    const found: NonNullable<Condition['extensions']> = {
      enabled: enabled.length,
      disabled: all.length - enabled.length,
      inTrouble: enabled.flatMap(({ id, label, problem }) =>
        problem === null ? [] : [{ id, label, problem }],
      ),
    }
    const failing = enabled.flatMap(({ label, versions }) =>
      versions.flatMap(({ version, isRunning, failures: counted }) => {
        const often = counted.find(
          ({ count, lastAt }) => count >= failuresLeast && Date.now() - Date.parse(lastAt) < failureCounts,
        )
        return isRunning && often !== undefined ? [{ label, version, ...often }] : []
      }),
    )
    return { found, failing }
  }

  return {
    /** Single parts, read on each call. */
    parts: { ...repository, values },

    /** `ownProxy`: the untrusted proxy that the caller's request came through. */
    async read(language: Language, ownProxy?: string): Promise<Condition> {
      // Before the facts are read: they include those of this node.
      const beaten = heartbeat.write().catch(() => {})
      const [
        sizes,
        mail,
        signIn,
        nodes,
        jobs,
        surveyed,
        facts,
        growths,
        free,
        backups,
        unready,
        fileFailure,
      ] = await Promise.all([
        readSizes(),
        part('mail', async () => ({ ...(await repository.mail()), server: serverOf(config.smtpUrl) })),
        part('signIn', repository.signIn),
        part('nodes', async () => {
          await beaten
          return repository.nodes()
        }),
        part('jobs', repository.jobs),
        part('extensions', () => readExtensions(language)),
        part('checks', async () => {
          await beaten
          const [known, reports] = await Promise.all([repository.facts(build.version), repository.reports()])
          return { ...known, reports }
        }),
        part('values', values),
        databaseFree(),
        part('backups', readBackups),
        readiness.read(),
        fileStore.read(),
      ])
      const {
        untrustedProxy: lastProxy = null,
        outdatedAgents = 0,
        copyOf = null,
        collation = null,
        clockOffset = 0,
        clocks = [],
        reports = [],
      } = facts ?? {}
      // Requests of other clients must not replace it.
      const untrustedProxy =
        ownProxy === undefined ? lastProxy : { address: ownProxy, seenAt: new Date().toISOString() }
      const found = surveyed?.found ?? null
      const condition = { ...sizes, mail, signIn, nodes, jobs, extensions: found, untrustedProxy, copyOf }
      const { publicUrl, trustedProxies, diskReserve: reserve } = config
      const known = {
        publicUrl,
        trustedProxies,
        ownProxy,
        reserve,
        diskFree: disk?.read()?.free,
        lacksInodes: disk?.lacksInodes(),
        reports,
        ownId: heartbeat.id,
        failing: surveyed?.failing ?? [],
        collation,
        outdatedAgents,
        clockOffset,
        clocks,
        values: { growths: growths ?? [], free },
        backups,
        replicas: replicas.states(),
        failures,
        unready,
        fileFailure,
        unknownSettings,
      }
      return { ...condition, checks: checksOf(condition, known, language) }
    },
  }
}

/** The condition of the installation, for root. The routes have checked the caller. */
export function createConditionService(parts: ConditionServiceParts) {
  const { db, config, build, people, mailer, audit, events, installation, log } = parts
  const reader = createConditionReader(parts)
  return {
    ...reader,

    /** Reads the condition for the sender of a request. */
    readFor: (language: Language, request: IncomingMessage) =>
      reader.read(language, untrustedProxyOf(request, config.trustedProxies)),

    /** Puts a restored copy into service at the address of this node. */
    async putIntoService(personId: string, address: string): Promise<true> {
      await events.transaction(async (trx) => {
        const original = await installation.putIntoService(trx, config.publicUrl)
        if (original === undefined) return
        await audit.within(trx).record({
          event: 'installation.put-into-service',
          result: 'success',
          actorId: personId,
          address,
          detail: { original, address: config.publicUrl },
        })
      })
      return true
    },

    diagnostics: async (): Promise<Diagnostics> =>
      readDiagnostics(db, { config, build, condition: await reader.read('de') }),

    /** Sends a mail to the caller's own confirmed address, never to another address. */
    async testMail(personId: string, address: string, language: Language) {
      const [to] = await people.verifiedEmailsOf(personId)
      if (to === undefined) throw new AppError('EMAIL_NOT_VERIFIED')
      const startedAt = performance.now()
      const { remedy, ...sent } = await mailer.sendNow(testLetter({ to, publicUrl: config.publicUrl }))
      const answeredIn = performance.now() - startedAt
      const result = sent.isSent ? 'success' : 'failure'
      await audit.recordDone(log, { event: 'mail.tested', result, actorId: personId, target: to, address })
      return { to, ...sent, ...(remedy && { remedy: textIn(remedy, language) }), answeredIn }
    },
  }
}
export type ConditionService = ReturnType<typeof createConditionService>

/** Host and port only: the address of the mail server can contain a password. */
const serverOf = (smtpUrl: string | undefined) => {
  if (smtpUrl === undefined) return null
  const { hostname, port, protocol } = new URL(smtpUrl)
  return `${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`
}

/** Concurrent calls, and those within `time` milliseconds after a complete result, share one result. */
function kept<Value>(
  time: number,
  isComplete: (value: Value) => boolean,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let last: { value: Promise<Value>; until: number } | undefined
  async function readOnce(): Promise<Value> {
    const value = await read()
    if (!isComplete(value)) last = undefined
    return value
  }
  return () => {
    if (last === undefined || performance.now() > last.until) {
      last = { value: readOnce(), until: performance.now() + time }
    }
    return last.value
  }
}
