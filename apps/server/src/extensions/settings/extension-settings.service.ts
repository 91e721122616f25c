import {
  cleanLines,
  type ExtensionManifest,
  type ExtensionSettings,
  type Misfit,
  misfitOf,
  type SettingField,
  type SettingManifest,
  type SettingValue,
  settingLimits,
} from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Language } from '#platform/language.ts'
import { emitChange } from '#platform/realtime/changes.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { settingsTopic } from '../../settings/own-settings.ts'
import { extensionTopic, storeTopicOf } from '../extension-topics.ts'
import { inLanguage } from '../manifests/in-language.ts'
import {
  createExtensionSettingsRepository,
  type SettingsPlace,
  type SettingsRow,
} from './extension-settings.repository.ts'

interface ExtensionSettingsParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  secrets: Secrets
}

interface Change {
  values: Readonly<Record<string, SettingValue | null>>
  revision: number | undefined
  language: Language
  actorId: string
  address: string
}

type Values = ReadonlyMap<string, SettingValue | null>

type Described = Pick<ExtensionManifest, 'id' | 'label' | 'settings' | 'apps'>

const purpose = 'settings of extensions'

/** The settings of extensions. The routes have checked the caller. */
export function createExtensionSettingsService({ db, events, audit, secrets }: ExtensionSettingsParts) {
  const repository = createExtensionSettingsRepository(db)

  return {
    read: async (manifest: Described, place: SettingsPlace, language: Language): Promise<ExtensionSettings> =>
      recordOf(manifest, place, await repository.find(place), language),

    async change(manifest: Described, place: SettingsPlace, change: Change): Promise<ExtensionSettings> {
      const settings = settingsOf(manifest, place)
      const values = cleaned(settings, change.values)
      refuseMisfits(settings, values)
      await events.transaction(async (trx, emit) => {
        const within = createExtensionSettingsRepository(trx)
        await within.lock(place)
        const before = await within.find(place)
        refuseStale(recordOf(manifest, place, before, change.language), change.revision)
        const after = changed(before?.values ?? new Map(), settings, values)
        if (Buffer.byteLength(JSON.stringify(Object.fromEntries(after))) > settingLimits.storedBytes)
          throw new AppError('VALIDATION_FAILED', {
            message: {
              de: `These settings may take ${settingLimits.storedBytes} bytes together`,
              'de-DE': `Diese Einstellungen dürfen zusammen ${settingLimits.storedBytes} Bytes belegen`,
            },
          })
        await within.write(place, after, change.actorId)
        await audit.within(trx).record({
          event: 'extension.settings-changed',
          result: 'success',
          actorId: change.actorId,
          target: manifest.id,
          address: change.address,
          ...(place.projectId !== null && { projectId: place.projectId }),
          detail: detailOf(settings, place, before?.values ?? new Map(), values),
        })
        await announce(emit, manifest, place)
      })
      return recordOf(manifest, place, await repository.find(place), change.language)
    },

    /** Returns the effective values for a caller: the default if no value applies, and null without a default. */
    async valuesFor(
      { settings = [], id: extension }: Described,
      { projectId, personId }: { projectId: string | null; personId: string },
      { withSecrets }: { withSecrets: boolean },
    ): Promise<Record<string, SettingValue | null>> {
      const places = {
        installation: { extension, projectId: null, personId: null },
        project: { extension, projectId, personId: null },
        person: { extension, projectId: null, personId },
      }
      const scopes = [...new Set(settings.map(({ scope }) => scope))]
      const rows = new Map(
        await Promise.all(
          scopes.map(async (scope) => {
            const isNowhere = scope === 'project' && projectId === null
            return [scope, isNowhere ? undefined : await repository.find(places[scope])] as const
          }),
        ),
      )
      const shown = settings.filter(({ type }) => withSecrets || type !== 'secret')
      return Object.fromEntries(
        shown.map((setting) => {
          const stored = rows.get(setting.scope)?.values.get(setting.id)
          const isFit = stored !== undefined && misfitOfStored(setting, stored) === null
          if (!isFit) return [setting.id, defaultOf(setting)]
          return [setting.id, isSealed(stored) ? open(stored) : (stored as SettingValue)]
        }),
      )
    },
  }

  function changed(
    before: SettingsRow['values'],
    settings: readonly SettingManifest[],
    values: Values,
  ): SettingsRow['values'] {
    const after = new Map(before)
    for (const { id, type } of settings) {
      const value = values.get(id)
      if (value === undefined) continue
      if (value === null) after.delete(id)
      else after.set(id, type === 'secret' ? seal(String(value)) : value)
    }
    return after
  }

  function seal(text: string): Sealed {
    return { sealed: secrets.seal(purpose, text).toString('base64') }
  }

  function open({ sealed }: Sealed): string {
    return secrets.open(purpose, Buffer.from(sealed, 'base64'))
  }
}
export type ExtensionSettingsService = ReturnType<typeof createExtensionSettingsService>

interface Sealed {
  sealed: string
}

const isSealed = (stored: unknown): stored is Sealed =>
  typeof stored === 'object' && stored !== null && 'sealed' in stored

const scopeOf = ({ projectId, personId }: SettingsPlace): SettingManifest['scope'] => {
  if (projectId !== null) return 'project'
  return personId === null ? 'installation' : 'person'
}

/** Returns the settings of the place's scope. */
export const settingsOf = ({ settings = [] }: Described, place: SettingsPlace): SettingManifest[] =>
  settings.filter(({ scope }) => scope === scopeOf(place))

const defaultOf = (setting: SettingManifest): SettingValue | null =>
  (setting.type === 'secret' ? null : setting.default) ?? null

function misfitOfStored(setting: SettingManifest, stored: unknown): Misfit | null {
  if (setting.type === 'secret') return isSealed(stored) ? null : 'no-secret'
  return isSealed(stored) ? 'was-secret' : misfitOf(setting, stored)
}

function recordOf(
  manifest: Described,
  place: SettingsPlace,
  row: SettingsRow | undefined,
  language: Language,
): ExtensionSettings {
  const { id, label } = inLanguage(manifest, language)
  return {
    _id: id,
    label,
    fields: inLanguage(settingsOf(manifest, place), language).map((setting) =>
      fieldOf(setting, row?.values.get(setting.id)),
    ),
    revision: row?.revision ?? 0,
    updatedAt: row?.updatedAt.toISOString() ?? '',
    updatedBy: row?.updatedBy ?? null,
  }
}

function fieldOf(setting: SettingManifest, stored: unknown): SettingField {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof stored)
  return {
    ...setting,
    default: defaultOf(setting),
    value: isScalar && setting.type !== 'secret' ? (stored as SettingValue) : null,
    isSet: stored !== undefined,
    misfit: stored === undefined ? null : misfitOfStored(setting, stored),
  }
}

/** Cleans texts. Secrets stay as they are: they can be keys and passwords. */
const cleaned = (settings: readonly SettingManifest[], values: Change['values']): Values =>
  new Map(
    Object.entries(values).map(([id, value]): [string, SettingValue | null] => {
      const isText = settings.some((one) => one.id === id && one.type === 'text')
      return [id, isText && typeof value === 'string' ? cleanLines(value) : value]
    }),
  )

function refuseMisfits(settings: readonly SettingManifest[], values: Values): void {
  const issues = [...values].flatMap(([id, value]) => {
    const setting = settings.find((one) => one.id === id)
    if (setting === undefined) return [{ path: [id], message: 'Unknown setting' }]
    const misfit = value === null ? null : misfitOf(setting, value)
    return misfit === null ? [] : [{ path: [id], message: `The value does not fit the setting (${misfit})` }]
  })
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { issues })
}

/** Returns the detail of the audit row: the changed values, without those of secrets. */
function detailOf(
  settings: readonly SettingManifest[],
  place: SettingsPlace,
  before: SettingsRow['values'],
  values: Values,
): Record<string, unknown> {
  const open = settings.filter(({ id, type }) => values.has(id) && type !== 'secret')
  const sealed = settings.filter(({ id, type }) => values.has(id) && type === 'secret').map(({ id }) => id)
  const former = open.map(({ id }) => [id, isSealed(before.get(id)) ? null : (before.get(id) ?? null)])
  return {
    scope: scopeOf(place),
    values: Object.fromEntries(open.map(({ id }) => [id, values.get(id)])),
    from: { values: Object.fromEntries(former) as unknown },
    ...(sealed.length > 0 && { secrets: sealed }),
  }
}

async function announce(emit: Emit, { id, apps }: Described, place: SettingsPlace): Promise<void> {
  const { projectId, personId } = place
  const change = { collection: 'settings', op: 'upsert', id } as const
  if (projectId !== null)
    await emitChange(
      emit,
      ...apps.map((app) => ({ topic: storeTopicOf({ projectId, app: app.id }), ...change })),
    )
  else if (personId !== null)
    await emitChange(emit, { topic: settingsTopic, ...change, audience: [personId] })
  else await emit({ topic: extensionTopic, name: 'extension:settings', data: { id } })
}
