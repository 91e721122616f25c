import type { AppManifest, ExtensionManifest, Fragment, InstalledExtension } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { ScriptIntegrity } from '#platform/http/console-document.ts'
import type { ContentCoding } from '#platform/http/console-files.ts'
import { type Language, type Sentence, say } from '#platform/language.ts'
import type { Log } from '#platform/log.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import { createExtensionRepository } from './extension.repository.ts'
import { extensionTopic, nodeTopic } from './extension-topics.ts'
import { installedRecordOf } from './installed-record.ts'
import type { ProductRegistry } from './manifests/product-registry.ts'
import { BrokenExtension, type ExtensionPackage } from './packages/extension-package.ts'
import { type ExtensionFolders, type FoundVersion, findVersions, manifestOf } from './packages/library.ts'
import { type DecidedExtension, decideRunning, takenName } from './packages/running.ts'
import { type InstallSource, removeFolder, stagePackage } from './packages/staging.ts'
import { addressOf, createServedFiles, type ServedFile } from './served-files.ts'

interface ExtensionServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  products: ProductRegistry
  folders: ExtensionFolders
  /** Tells people that what they may do has changed. */
  announceAccess: (emit: Emit, personIds: Iterable<string>) => Promise<void>
  log: Log
}

/** Who changes something, and from where; null for the operator's command line. */
export type By = { actorId: string; address: string } | null

/** The service of an extension, as a call of one of its apps needs to know it. */
export interface BackendOf {
  extensionId: string
  /** Null where nobody has said it yet. */
  url: string | null
}

/**
 * Which extensions there are, which version of them runs, and the files that they have. What comes with the product runs
 * unless somebody decided otherwise; what was put into the data folder runs once it was enabled, and only as it was then.
 */
export function createExtensionService(parts: ExtensionServiceParts) {
  const { db, events, audit, products, folders, announceAccess, log } = parts
  const repository = createExtensionRepository(db)
  const served = createServedFiles()
  let known: readonly DecidedExtension[] = []
  let running: readonly ExtensionPackage[] = []
  let scripts: ScriptIntegrity = {}
  /** Of the reading that began last. */
  let settled: Promise<void> = Promise.resolve()

  async function survey(from = repository): Promise<DecidedExtension[]> {
    const [found, states] = [await findVersions(folders), await from.list()]
    return decideRunning(found, states)
  }

  /** One after the other, so that what was read last is what holds. */
  function reload(): Promise<void> {
    const reading = settled.then(read)
    settled = reading.catch((err: unknown) => log.error({ err }, 'the extensions could not be read'))
    return reading
  }

  async function read(): Promise<void> {
    known = await survey()
    for (const { id, problem } of known)
      if (problem !== null) log.warn({ extension: id, problem: problem.de }, 'an extension was left out')
    running = known.flatMap((extension) => extension.running ?? [])
    products.replace(running.map(({ manifest }) => manifest))
    scripts = served.replace(running)
  }

  /** A change of what runs, or is there to run: one at a time, each on what the one before has left. */
  async function change(
    by: By,
    work: (
      within: ReturnType<typeof createExtensionRepository>,
      before: readonly DecidedExtension[],
    ) => Promise<{ event: AuditEvent; target: string; detail: Record<string, unknown> } | null>,
  ): Promise<void> {
    await events.transaction(async (trx, emit) => {
      const within = createExtensionRepository(trx)
      await within.lock()
      const before = await survey(within)
      const row = await work(within, before)
      if (row === null) return
      await audit.within(trx).record({ ...row, result: 'success', ...by })
      await emit({ topic: nodeTopic, name: 'changed', data: {} })
      await announce(trx, emit, before)
    })
    await reload()
  }

  /** Comes after what tells the nodes, so that they have looked again when it is delivered. */
  async function announce(
    trx: Transaction<Database>,
    emit: Emit,
    before: readonly DecidedExtension[],
  ): Promise<void> {
    const within = createExtensionRepository(trx)
    const after = await survey(within)
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
    if (topic === nodeTopic) void reload().catch(() => {})
  })
  events.onGap(() => void reload().catch(() => {}))

  async function list(language: Language = 'de'): Promise<InstalledExtension[]> {
    return (await survey()).map((extension) => installedRecordOf(extension, language))
  }

  return {
    reload,
    /** When this node knows of all changes that it has heard of so far. */
    settled: () => settled,
    /** The manifests of the extensions that run. */
    running: () => running.map(({ manifest }) => manifest),
    /** What the document's import map has to know of them. */
    scripts: (): ScriptIntegrity => scripts,
    /** A file by its address, if it is still what was enabled. */
    fileAt: (url: string, coding: ContentCoding): Promise<ServedFile | undefined> => served.find(url, coding),
    /** Extensions with the apps for which `isAllowed` says yes, also those that were to run and cannot; none without any. */
    fragmentsWith: (isAllowed: (app: AppManifest) => boolean, language: Language = 'de'): Fragment[] =>
      known.flatMap((extension) => {
        const fragment = fragmentOf(extension, language)
        const apps = fragment?.apps.filter(isAllowed) ?? []
        return fragment !== undefined && apps.length > 0 ? [{ ...fragment, apps }] : []
      }),
    /** The service of the extension that brings an app and runs; undefined when its manifest names none. */
    backendOf(appId: string): BackendOf | undefined {
      const extension = known.find((one) => one.running?.manifest.apps.some(({ id }) => id === appId))
      if (extension?.running?.manifest.backend === undefined) return undefined
      return { extensionId: extension.id, url: extension.state?.backendUrl ?? null }
    },

    list,

    /** @param digest of a version; the newest that can run when it is left out */
    enable: (name: string, digest: string | undefined, by: By) =>
      change(by, async (within, before) => {
        const version = versionToEnable(foundIn(before, name), digest)
        const others = before.flatMap(({ id, running: other }) =>
          id !== name && other !== undefined ? [other.manifest] : [],
        )
        const taken = takenName(version.manifest, others)
        if (taken !== undefined) throw brokenError(name, taken)
        await within.set(name, true, version.source === 'bundled' ? null : version.digest)
        const detail = { version: version.manifest.version, digest: version.digest }
        return { event: 'extension.enabled', target: name, detail }
      }),

    disable: (name: string, by: By) =>
      change(by, async (within, before) => {
        const { state, running: former } = foundIn(before, name)
        await within.set(name, false, state?.digest ?? null)
        const detail = former === undefined ? {} : { version: former.manifest.version, digest: former.digest }
        return { event: 'extension.disabled', target: name, detail }
      }),

    setBackend: (name: string, url: string | null, by: By) =>
      change(by, async (within, before) => {
        const { state, isWanted, versions } = foundIn(before, name)
        if (!versions.some((version) => manifestOf(version)?.backend !== undefined))
          throw new AppError('NOT_FOUND', {
            message: {
              de: `${name} has no service of its own`,
              'de-DE': `${name} hat keinen eigenen Dienst`,
            },
          })
        if (url !== null) checkBackendUrl(url)
        const from = state?.backendUrl ?? null
        if (from === url) return null
        await within.setBackend(name, url, isWanted)
        return { event: 'extension.backend-changed', target: name, detail: { url, from: { url: from } } }
      }),

    /** Puts a version beside those that are there. It does not run before it is enabled. */
    async install(source: InstallSource, by: By): Promise<InstalledExtension> {
      const staged = await stagePackage(folders.installed, source).catch((error: unknown) => {
        throw error instanceof BrokenExtension
          ? new AppError('EXTENSION_BROKEN', { message: error.said })
          : error
      })
      try {
        const { manifest, digest } = staged.package
        const { id, version } = manifest
        await change(by, async (_within, before) => {
          const versions = before.flatMap((extension) => extension.versions)
          if (!checkIsNew(versions, { id, version, digest, folder: staged.target })) return null
          await staged.place()
          return { event: 'extension.installed', target: id, detail: { version, digest } }
        })
        const record = (await list()).find((extension) => extension.id === id)
        if (record === undefined) throw new AppError('NOT_FOUND')
        return record
      } finally {
        await staged.discard()
      }
    },

    removeVersion: (name: string, digest: string, by: By) =>
      change(by, async (_within, before) => {
        const { versions, running: current } = foundIn(before, name)
        const version = versions.find((one) => one.digest === digest)
        if (version === undefined) throw new AppError('NOT_FOUND')
        if (version.source === 'bundled')
          throw new AppError('FORBIDDEN', {
            message: {
              de: 'What comes with the product is not removed',
              'de-DE': 'Was mitgeliefert wird, lässt sich nicht löschen',
            },
          })
        if (current?.digest === digest) throw new AppError('EXTENSION_RUNS')
        await removeFolder(version.folder)
        const detail = { version: manifestOf(version)?.version ?? null, digest }
        return { event: 'extension.removed', target: name, detail }
      }),
  }
}
export type ExtensionService = ReturnType<typeof createExtensionService>

const brokenError = (name: string, problem: Sentence) =>
  new AppError('EXTENSION_BROKEN', {
    message: { de: `${name}: ${problem.de}`, 'de-DE': `${name}: ${problem['de-DE']}` },
  })

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
 * Whether it is not there yet. The same bytes may come again; other bytes under a version that is there would be two
 * things of one name. Of a copy that cannot run any more it takes the place.
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
        de: `version ${version} of ${id} is there already, with other files`,
        'de-DE': `Version ${version} von ${id} ist schon da, mit anderen Dateien`,
      },
    })
  return true
}

/** An origin and a path below which all calls stay. */
function checkBackendUrl(value: string): void {
  const { username, password, search, hash } = new URL(value)
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new AppError('VALIDATION_FAILED', {
      message: {
        de: 'The address must be a scheme, a host and a path, without a user or a query',
        'de-DE': 'Die Adresse besteht aus Schema, Host und Pfad, ohne Benutzer und ohne Abfrage',
      },
    })
}

/** Products whose roles unfold to something else than before. */
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

/** What the console needs to know of an extension that runs, or was to; undefined for any other. */
function fragmentOf(
  { running, broken, problem }: DecidedExtension,
  language: Language,
): Fragment | undefined {
  if (running !== undefined) return runningFragmentOf(running)
  const why = problem === null ? '' : say(problem, language)
  return broken && { ...described(broken), entry: '', integrity: {}, styles: [], problem: why }
}

const described = ({ id, version, label, labels, sdk = '', apps }: ExtensionManifest) => ({
  id,
  version,
  label,
  labels,
  sdk,
  apps,
})

function runningFragmentOf(extension: ExtensionPackage): Fragment {
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
