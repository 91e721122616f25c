import * as z from 'zod/mini'
import { id, lastChange, listOf, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { misfits } from './extensions/setting-manifest.ts'

/*
 * Values that users set for extensions, as the `settings` of a manifest declare them: for the installation, a project
 * or a user.
 */

const value = z.union([z.string(), z.number(), z.boolean()])

const settingField = z.object({
  id: z.string(),
  type: z.enum(['text', 'number', 'switch', 'choice', 'secret']),
  label: z.string(),
  description: z.optional(z.string()),
  min: z.optional(z.number()),
  max: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  options: z.optional(z.array(z.object({ id: z.string(), label: z.string() }))),
  /** Value for the extension while none is stored; null without a default. */
  default: z.nullable(value),
  /** Stored value, even if it is invalid; null if none is stored, and for a secret. */
  value: z.nullable(value),
  isSet: z.boolean(),
  /** Why the stored value is invalid, so that the extension receives the default; null if it is valid. */
  misfit: z.nullable(z.enum(misfits)),
})
export type SettingField = z.infer<typeof settingField>

/** The settings of an extension in one scope. */
const extensionSettings = z.object({
  /** Id of the extension. */
  _id: z.string(),
  label: z.string(),
  fields: z.array(settingField),
  /** 0 before the first change. */
  revision,
  ...lastChange,
})
export type ExtensionSettings = z.infer<typeof extensionSettings>

/** Values by id; null removes the stored value. */
const changes = z.strictObject({ values: z.record(z.string(), z.nullable(value)) })
const inProject = z.strictObject({ project: z.optional(id) })

/** Settings for the installation, for root. */
export const rootExtensionSettingsEndpoints = {
  ofInstallation: endpoint('GET', '/apps/root/extensions/:name/settings', {
    summary: 'Returns the settings of an extension for the installation.',
    reply: extensionSettings,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  changeInstallation: endpoint('PUT', '/apps/root/extensions/:name/settings', {
    summary: 'Changes the given settings of an extension for the installation.',
    body: changes,
    reply: extensionSettings,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'RECENT_SIGN_IN_NEEDED', 'REVISION_CONFLICT'],
  }),
}

/** Settings for a project. */
export const extensionSettingsEndpoints = {
  ofProject: endpoint('GET', '/projects/:projectId/extension-settings', {
    summary: 'Returns the settings of the extensions that the project uses.',
    reply: listOf(extensionSettings),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  changeProject: endpoint('PUT', '/projects/:projectId/extension-settings/:name', {
    summary: 'Changes the given settings of an extension for the project.',
    body: changes,
    reply: extensionSettings,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'RECENT_SIGN_IN_NEEDED', 'REVISION_CONFLICT'],
  }),
}

/** The caller's settings, and the values that apply to the caller in an app. */
export const ownExtensionSettingsEndpoints = {
  ofPerson: endpoint('GET', '/me/extension-settings', {
    summary:
      'Returns the caller’s settings of the extensions with an app that the caller may open, in the project and as root.',
    query: inProject,
    reply: listOf(extensionSettings),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
  changePerson: endpoint('PUT', '/me/extension-settings/:name', {
    summary: 'Changes the given settings of the caller for an extension.',
    query: inProject,
    body: changes,
    reply: extensionSettings,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'REVISION_CONFLICT'],
  }),
  /** Project changes are published on the store topics of the project's apps, others on `extensions` and `settings`. */
  values: endpoint('GET', '/app-settings/:app', {
    summary: 'Returns the values of all settings that apply to the caller in an app, without secrets.',
    query: inProject,
    reply: z.object({ values: z.record(z.string(), z.nullable(value)) }),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
}
