import { setTimeout as delay } from 'node:timers/promises'
import type { AppManifest, ExtensionManifest, Fragment, InstalledExtension } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { ScriptIntegrity } from '#platform/http/console-document.ts'
import type { ContentCoding } from '#platform/http/console-files.ts'
import { type Language, type Sentence, textIn } from '#platform/language.ts'
import type { Log } from '#platform/log.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import { whenAnswered } from '#platform/transient.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import { isAllowedUrl } from './backends/backend-destination.ts'
import { createExtensionRepository } from './extension.repository.ts'
import { extensionTopic, nodeTopic } from './extension-topics.ts'
import { createExtensionFailures } from './failures/extension-failures.ts'
import { installedRecordsOf } from './installed-record.ts'
import type { ProductRegistry } from './manifests/product-registry.ts'
import {
  changeOf,
  givesMore,
  noRights,
  type RightsChange,
  rightsLines,
  rightsOf,
} from './manifests/rights.ts'
import { BrokenExtension, type ExtensionPackage } from './packages/extension-package.ts'
import { type ExtensionFolders, type FoundVersion, findVersions, manifestOf } from './packages/library.ts'
import { allowedRights, type DecidedExtension, decideRunning, takenName } from './packages/running.ts'
import { type InstallSource, removeFolder, stagePackage } from './packages/staging.ts'
import { addressOf, createServedFiles, type ServedFile } from './served-files.ts'

interface ExtensionServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  products: ProductRegistry
  folders: ExtensionFolders
  /** Publishes to these users that their permissions have changed. */
  announceAccess: (emit: Emit, personIds: Iterable<string>) => Promise<void>
  log: Log
  /** Milliseconds for which a change waits for the outcome of a COMMIT that had no answer. */
  outcomePatience?: number
}

/** The actor and address of a change; null for the operator's command line. */
export type By = { actorId: string; address: string } | null

/** The service of an extension for a call of one of its apps. */
export interface BackendOf {
  extensionId: string
  manifest: ExtensionManifest
  /** Null until root has set it. */
  url: string | null
  /** Root has allowed to call it without TLS. */
  allowsHttp: boolean
}

type Repository = ReturnType<typeof createExtensionRepository>
type Versions = Awaited<ReturnType<typeof findVersions>>

/** The audit row of a change. */
interface Change {
  event: AuditEvent
  target: string
  detail: Record<string, unknown>
  /** Product roles that the change affects: the logs of projects in which people hold them get the row as well. */
  productRoles?: readonly string[]
}

/** Maximum time in milliseconds that events wait for a read of the extensions. */
const settleTimeout = 3000

const reloadTries = 60
const reloadPause = 1000

const outcomePause = 500
const usualOutcomePatience = 60_000

/**
 * Determines the installed extensions, their running versions and their files. Bundled extensions run unless root has
 * disabled them. Extensions in the data folder run only after root has enabled them, and only with the same digest.
 */
export function createExtensionService(parts: ExtensionServiceParts) {
  const { db, events, audit, products, folders, announceAccess, log } = parts
  const { outcomePatience = usualOutcomePatience } = parts
  const repository = createExtensionRepository(db)
  const served = createServedFiles()
  let known: readonly DecidedExtension[] = []
  let running: readonly ExtensionPackage[] = []
  let scripts: ScriptIntegrity = {}
  let isChanging = false
  /** The last read. Reads run one after another, so that the newest result wins. */
  let reading: Promise<void> = Promise.resolve()
  /** Resolves after the last read, or after `settleTimeout` if that is earlier. */
  let settled: Promise<void> = Promise.resolve()

  /** Reads the folders and the database. `absent`: ids of the enabled extensions of which this node has no files. */
  async function survey(): Promise<{ decided: DecidedExtension[]; absent: string[] }> {
    const [found, states] = [await findVersions(folders), await repository.list()]
    const absent = states.filter(({ id, isEnabled }) => isEnabled && !found.has(id)).map(({ id }) => id)
    return { decided: decideRunning(found, states), absent }
  }

  function reload(): Promise<void> {
    reading = reading.catch(() => {}).then(read)
    const logged = reading.catch((err: unknown) => log.error({ err }, 'the extensions could not be read'))
    settled = Promise.race([logged, delay(settleTimeout, undefined, { ref: false })])
    return reading
  }

  /** Reads after a change on any node. Retries, because a short outage would leave this node with stale extensions. */
  async function reloadWithRetries(): Promise<void> {
    const before = known
    const begun = performance.now()
    for (let tries = 0; tries < reloadTries; tries += 1) {
      const isRead = await reload().then(
        () => true,
        () => false,
      )
      if (isRead) {
        const isLate = tries > 0 || performance.now() - begun >= settleTimeout
        return isLate ? announceAgain(before) : undefined
      }
      await delay(reloadPause, undefined, { ref: false })
    }
  }

  /** Publishes a change again, for consoles that reacted before this node had read it and got the former extensions. */
  async function announceAgain(before: readonly DecidedExtension[]): Promise<void> {
    const announcing = () =>
      events.transaction((trx, emit) => announce(createExtensionRepository(trx), emit, before, known))
    await whenAnswered(announcing).catch((err: unknown) =>
      log.error({ err }, 'changed extensions could not be announced again'),
    )
  }

  async function read(): Promise<void> {
    const { decided, absent } = await survey()
    known = decided
    for (const { id, problem } of known)
      if (problem !== null) log.warn({ extension: id, problem: problem.de }, 'an extension was skipped')
    for (const id of absent)
      log.warn({ extension: id, problem: 'This node has no files of it' }, 'an extension was skipped')
    running = known.flatMap((extension) => extension.running ?? [])
    products.replace(running.map(({ manifest }) => manifest))
    scripts = served.replace(running)
  }

  /**
   * Runs one change at a time on this node, and reads the extensions again after it. Throws BUSY during another change.
   * A transaction cannot protect the folders, because file work in it would hold a connection.
   */
  async function exclusively(work: (found: Versions) => Promise<void>): Promise<void> {
    if (isChanging) throw busy()
    isChanging = true
    try {
      await work(await findVersions(folders))
    } finally {
      isChanging = false
    }
    await reload()
  }

  /**
   * Commits a change with its audit row and events. Reads no files. Throws BUSY while another node commits one. After
   * a COMMIT without an answer it asks the database for the outcome, because the folders must match the audit log.
   */
  async function commit(
    by: By,
    { found, next = found }: { found: Versions; next?: Versions },
    decide: (within: Repository, before: readonly DecidedExtension[]) => Promise<Change | null>,
  ): Promise<void> {
    let transactionId: string | undefined
    const committed = events.transaction(async (trx, emit) => {
      const within = createExtensionRepository(trx)
      if (!(await within.tryLock())) throw busy()
      const before = decideRunning(found, await within.list())
      const decided = await decide(within, before)
      if (decided === null) return
      const { productRoles = [], ...entry } = decided
      const row = { ...entry, result: 'success' as const, ...by }
      const projects = productRoles.length === 0 ? [] : await within.projectsWith(productRoles)
      await audit.within(trx).record(row, ...projects.map((projectId) => ({ ...row, projectId })))
      // Published first, so that the nodes have reloaded when consoles receive the change.
      await emit({ topic: nodeTopic, name: 'changed', data: {} })
      await announce(within, emit, before, decideRunning(next, await within.list()))
      transactionId = await within.transactionId()
    })
    await committed.catch(async (error: unknown) => {
      if (transactionId === undefined || !(await hasCommitted(transactionId))) throw error
    })
  }

  /**
   * Waits until the database knows the outcome. Returns false if it does not within `outcomePatience`: the change ends
   * with its error, because no other change can begin before.
   */
  async function hasCommitted(transactionId: string): Promise<boolean> {
    const until = performance.now() + outcomePatience
    do {
      const outcome = await whenAnswered(
        () => repository.outcomeOf(transactionId),
        until - performance.now(),
      ).catch((err: unknown) => {
        log.error({ err }, 'the outcome of a change of extensions is unknown')
        return undefined
      })
      if (outcome !== 'in progress') return outcome === 'committed'
      await delay(outcomePause)
    } while (performance.now() < until)
    return false
  }

  /** Runs a change that writes only rows. */
  const change = (by: By, decide: Parameters<typeof commit>[2]) =>
    exclusively((found) => commit(by, { found }, decide))

  async function announce(
    within: Repository,
    emit: Emit,
    before: readonly DecidedExtension[],
    after: readonly DecidedExtension[],
  ): Promise<void> {
    for (const id of new Set([...before, ...after].map((extension) => extension.id))) {
      const [former, now] = [before, after].map((all) => all.find((one) => one.id === id)?.running)
      if (former?.digest === now?.digest) continue
      const data = { id, version: now?.manifest.version ?? null }
      await emit({ topic: extensionTopic, name: 'extension:changed', data })
    }
    const skus = changedSkus(before, after)
    if (skus.length > 0) await announceAccess(emit, await within.holdersOf(skus))
  }

  events.listen(({ topic }) => {
    if (topic === nodeTopic) void reloadWithRetries()
  })
  events.onGap(() => void reloadWithRetries())

  async function list(language: Language = 'de'): Promise<InstalledExtension[]> {
    const [{ decided }, failuresOf] = await Promise.all([survey(), createExtensionFailures(db).read()])
    return installedRecordsOf(decided, failuresOf, language)
  }

  return {
    reload,
    /** Resolves when this node has read all announced changes, or after a timeout. */
    settled: () => settled,
    /** Returns the manifests of the running extensions. */
    running: () => running.map(({ manifest }) => manifest),
    /** Returns the manifest of the running version of an extension, or of its newest usable version. */
    described(name: string): ExtensionManifest | undefined {
      const extension = known.find(({ id }) => id === name)
      const usable = extension?.versions.find(({ content }) => 'package' in content)
      return extension?.running?.manifest ?? (usable && manifestOf(usable))
    },
    /** Returns the integrity hashes for the document's import map. */
    scripts: (): ScriptIntegrity => scripts,
    /** Returns the file at a URL if its content is still the enabled one. */
    fileAt: (url: string, coding: ContentCoding): Promise<ServedFile | undefined> => served.find(url, coding),
    /** Returns the extensions that have allowed apps, with these apps. Includes enabled extensions that cannot run. */
    fragmentsWith: (isAllowed: (app: AppManifest) => boolean, language: Language = 'de'): Fragment[] =>
      known.flatMap((extension) => {
        const fragment = fragmentOf(extension, language)
        const apps = fragment?.apps.filter(isAllowed) ?? []
        return fragment !== undefined && apps.length > 0 ? [{ ...fragment, apps }] : []
      }),
    /** Returns the service of the running extension that has the app; undefined if its manifest declares none. */
    backendOf(appId: string): BackendOf | undefined {
      const extension = known.find((one) => one.running?.manifest.apps.some(({ id }) => id === appId))
      if (extension?.running?.manifest.backend === undefined) return undefined
      const { id, state } = extension
      return {
        extensionId: id,
        manifest: extension.running.manifest,
        url: state?.backendUrl ?? null,
        allowsHttp: state?.backendAllowsHttp ?? false,
      }
    },

    list,

    /**
     * Enables a version, by default the newest version that can run. Refuses a version whose roles give more than root
     * has allowed, unless the caller names the version and allows its roles.
     */
    enable: (
      name: string,
      { digest, allowsRoles = false }: { digest?: string | undefined; allowsRoles?: boolean | undefined },
      by: By,
    ) =>
      change(by, async (within, before) => {
        const extension = foundIn(before, name)
        const version = versionToEnable(extension, digest)
        const others = before.flatMap(({ id, running: other }) =>
          id !== name && other !== undefined ? [other.manifest] : [],
        )
        const taken = takenName(version.manifest, others)
        if (taken !== undefined) throw brokenError(name, taken)
        const rights = rightsOf(version.manifest)
        const difference = changeOf(allowedRights(extension), rights)
        const isBundled = version.source === 'bundled'
        const isAllowed = isBundled || (allowsRoles && digest !== undefined)
        if (!isAllowed && givesMore(difference)) throw rolesError(name, difference)
        await within.enable(name, isBundled ? null : { digest: version.digest, rights })
        const { added, removed } = difference
        return {
          event: 'extension.enabled',
          target: name,
          detail: {
            version: version.manifest.version,
            digest: version.digest,
            ...linesIn(difference),
          },
          productRoles: [...Object.keys(added.roles), ...Object.keys(removed.roles)],
        }
      }),

    disable: (name: string, by: By) =>
      change(by, async (within, before) => {
        const { running: former } = foundIn(before, name)
        await within.disable(name)
        const detail = former === undefined ? {} : { version: former.manifest.version, digest: former.digest }
        return { event: 'extension.disabled', target: name, detail }
      }),

    setBackend: (
      name: string,
      { url, allowsHttp = false }: { url: string | null; allowsHttp?: boolean | undefined },
      by: By,
    ) =>
      change(by, async (within, before) => {
        const { state, isEnabled, versions } = foundIn(before, name)
        if (!versions.some((version) => manifestOf(version)?.backend !== undefined))
          throw new AppError('NOT_FOUND', {
            message: {
              de: `${name} has no service`,
              'de-DE': `${name} hat keinen eigenen Dienst`,
            },
          })
        if (url !== null) checkBackendUrl(url, allowsHttp)
        // Stored only where it is needed: the name of another address could lead elsewhere later.
        const consents = allowsHttp && url !== null && !isAllowedUrl(new URL(url), false)
        const from = state?.backendUrl ?? null
        if (from === url && (state?.backendAllowsHttp ?? false) === consents) return null
        await within.setBackend(name, { url, allowsHttp: consents }, isEnabled)
        const detail = { url, ...(consents && { allowsHttp: true }), from: { url: from } }
        return { event: 'extension.backend-changed', target: name, detail }
      }),

    /** Installs a version beside the existing ones. The version does not run until root enables it. */
    async install(source: InstallSource, by: By): Promise<InstalledExtension> {
      const staged = await stagePackage(folders, source).catch((error: unknown) => {
        throw error instanceof BrokenExtension
          ? new AppError('EXTENSION_BROKEN', { message: error.reason })
          : error
      })
      try {
        const { manifest, digest } = staged.package
        const { id, version } = manifest
        await exclusively(async (found) => {
          const added = { id, version, digest, folder: staged.target }
          if (!checkIsNew([...found.values()].flat(), added)) return
          await staged.place(async () => {
            const detail = { version, digest }
            const next = await findVersions(folders)
            await commit(by, { found, next }, async () => ({
              event: 'extension.installed',
              target: id,
              detail,
            }))
          })
        })
        const record = (await list()).find((extension) => extension.id === id)
        if (record === undefined) throw new AppError('NOT_FOUND')
        return record
      } finally {
        await staged.discard()
      }
    },

    removeVersion: (name: string, digest: string, by: By) =>
      exclusively(async (found) => {
        const version = found.get(name)?.find((one) => one.digest === digest)
        if (version === undefined) throw new AppError('NOT_FOUND')
        if (version.source === 'bundled')
          throw new AppError('FORBIDDEN', {
            message: {
              de: 'Bundled extensions cannot be removed. Disable them instead',
              'de-DE':
                'Mitgelieferte Erweiterungen lassen sich nicht löschen. Deaktivieren Sie sie stattdessen',
            },
          })
        await commit(by, { found }, async (_within, before) => {
          if (foundIn(before, name).running?.digest === digest) throw new AppError('EXTENSION_RUNS')
          const detail = { version: manifestOf(version)?.version ?? null, digest }
          return { event: 'extension.removed', target: name, detail }
        })
        await removeFolder(version.folder)
      }),
  }
}
export type ExtensionService = ReturnType<typeof createExtensionService>

const busy = () => new AppError('BUSY', { retryAfter: 1 })

const brokenError = (name: string, problem: Sentence) =>
  new AppError('EXTENSION_BROKEN', {
    message: { de: `${name}: ${problem.de}`, 'de-DE': `${name}: ${problem['de-DE']}` },
  })

const rolesError = (name: string, { added }: RightsChange) => {
  const roles = rightsLines({ ...added, parts: noRights.parts }).join('; ')
  return new AppError('VALIDATION_FAILED', {
    message: {
      de: `The roles of ${name} give more than root has allowed: ${roles}. Check them, and allow them to enable this version`,
      'de-DE': `Die Rollen von ${name} geben mehr Rechte, als root erlaubt hat: ${roles}. Prüfen Sie sie, und erlauben Sie sie, um diese Version zu aktivieren`,
    },
  })
}

/** The difference for the audit log, without empty parts. */
function linesIn(change: RightsChange): Record<string, string[]> {
  const [added, removed] = [rightsLines(change.added), rightsLines(change.removed)]
  return { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) }
}

function foundIn(all: readonly DecidedExtension[], name: string): DecidedExtension {
  const found = all.find(({ id }) => id === name)
  if (found === undefined) throw new AppError('NOT_FOUND')
  return found
}

function versionToEnable({ id, versions }: DecidedExtension, digest: string | undefined) {
  const asked = digest === undefined ? versions : versions.filter((version) => version.digest === digest)
  const [first] = asked
  if (first === undefined) throw new AppError('NOT_FOUND')
  const usable = asked.find(({ content }) => 'package' in content) ?? first
  if ('problem' in usable.content) throw brokenError(id, usable.content.problem)
  return { source: usable.source, digest: usable.digest, manifest: usable.content.package.manifest }
}

/**
 * Returns whether the version is new. The same bytes may be installed again. Other bytes under an existing version
 * are rejected, unless the existing copy is broken; then they replace it.
 */
function checkIsNew(
  versions: readonly FoundVersion[],
  added: { id: string; version: string; digest: string; folder: string },
): boolean {
  const { id, version, digest, folder } = added
  const own = versions.filter((one) => one.id === id)
  if (own.some((one) => one.digest === digest && 'package' in one.content)) return false
  const occupied = versions.filter(
    (one) =>
      one.digest !== digest &&
      manifestOf(one) !== undefined &&
      (one.folder === folder || (one.id === id && manifestOf(one)?.version === version)),
  )
  if (occupied.length > 0)
    throw new AppError('EXTENSION_BROKEN', {
      message: {
        de: `version ${version} of ${id} is already installed with different files`,
        'de-DE': `Version ${version} von ${id} ist bereits mit anderen Dateien installiert`,
      },
    })
  return true
}

/** Checks that the server may call the URL, and that it has an origin and a path, and nothing else. */
function checkBackendUrl(value: string, allowsHttp: boolean): void {
  const url = new URL(value)
  if (!isAllowedUrl(url, true))
    throw new AppError('VALIDATION_FAILED', {
      message: {
        de: 'The server does not connect to link-local, unspecified and multicast addresses or to metadata services of clouds. Enter another address',
        'de-DE':
          'Der Server verbindet sich nicht mit link-lokalen, unbestimmten und Multicast-Adressen oder mit Metadatendiensten von Clouds. Geben Sie eine andere Adresse ein',
      },
    })
  if (!isAllowedUrl(url, allowsHttp))
    throw new AppError('VALIDATION_FAILED', {
      message: {
        de: 'http is not encrypted. Use https, or allow http for this address',
        'de-DE':
          'http ist nicht verschlüsselt. Verwenden Sie https, oder erlauben Sie http für diese Adresse',
      },
    })
  const { username, password, search, hash } = url
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new AppError('VALIDATION_FAILED', {
      message: {
        de: 'The address must be a scheme, a host and a path, without a user or a query',
        'de-DE': 'Die Adresse besteht aus Schema, Host und Pfad, ohne Benutzer und ohne Abfrage',
      },
    })
}

/** Returns the products whose roles unfold differently than before. */
function changedSkus(before: readonly DecidedExtension[], after: readonly DecidedExtension[]): string[] {
  const [former, now] = [rolesBySku(before), rolesBySku(after)]
  return [...new Set([...former.keys(), ...now.keys()])].filter((sku) => former.get(sku) !== now.get(sku))
}

const rolesBySku = (all: readonly DecidedExtension[]) =>
  new Map(
    all
      .flatMap(({ running }) => running?.manifest.products ?? [])
      .map(({ sku, roles }) => [sku, JSON.stringify(roles.map((role) => [role.id, role.roles]))]),
  )

/** Returns the fragment of an extension that runs or should run; undefined for all others. */
function fragmentOf(
  { running, versions, broken, problem }: DecidedExtension,
  language: Language,
): Fragment | undefined {
  const isBundled = versions.some(({ source, digest }) => source === 'bundled' && digest === running?.digest)
  if (running !== undefined) return { ...runningFragmentOf(running), isBundled }
  const why = problem === null ? '' : textIn(problem, language)
  return broken && { ...described(broken), entry: '', integrity: {}, styles: [], isBundled, problem: why }
}

const described = ({ id, version, label, labels, sdk = '', apps }: ExtensionManifest) => ({
  id,
  version,
  label,
  labels,
  sdk,
  apps,
})

function runningFragmentOf(extension: ExtensionPackage): Omit<Fragment, 'isBundled'> {
  const { entry = '', styles = [], files } = extension.manifest
  const checked = Object.entries(files).filter(([path]) => /\.(?:js|css)$/.test(path))
  return {
    ...described(extension.manifest),
    entry: addressOf(extension, entry),
    integrity: Object.fromEntries(
      checked.map(([path, integrity]) => [addressOf(extension, path), integrity]),
    ),
    styles: styles.map((path) => addressOf(extension, path)),
  }
}
