import * as z from 'zod/mini'
import { id, lastChange, listOf, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { misfits } from './extensions/setting-manifest.ts'

/*
 * Values that extensions take from their users, by the `settings` of their manifests: for the installation, for a
 * project, or for a person.
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
  /** The value that the extension gets while none is stored; null for none. */
  default: z.nullable(value),
  /** The stored value, even if it does not fit; null for none and for a secret. */
  value: z.nullable(value),
  isSet: z.boolean(),
  /** Why the stored value cannot be used: the extension gets the default. Saving replaces it. */
  misfit: z.nullable(z.enum(misfits)),
})
export type SettingField = z.infer<typeof settingField>

/** The settings of an extension in one scope. */
const extensionSettings = z.object({
  /** The extension. */
  _id: z.string(),
  label: z.string(),
  fields: z.array(settingField),
  /** 0 before the first change. */
  revision,
  ...lastChange,
})
export type ExtensionSettings = z.infer<typeof extensionSettings>

/** A null removes the stored value. */
const changes = z.strictObject({ values: z.record(z.string(), z.nullable(value)) })
const inProject = z.strictObject({ project: z.optional(id) })

/** Root's calls about the settings of the installation. */
export const rootExtensionSettingsEndpoints = {
  ofInstallation: endpoint('GET', '/apps/root/extensions/:name/settings', {
    summary: 'The settings of an extension for the installation.',
    reply: extensionSettings,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  changeInstallation: endpoint('PUT', '/apps/root/extensions/:name/settings', {
    summary: 'Changes the settings that are sent.',
    body: changes,
    reply: extensionSettings,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'RECENT_SIGN_IN_NEEDED', 'REVISION_CONFLICT'],
  }),
}

/** Calls about the settings of a project. */
export const extensionSettingsEndpoints = {
  ofProject: endpoint('GET', '/projects/:projectId/extension-settings', {
    summary: 'The settings of the extensions that the project uses.',
    reply: listOf(extensionSettings),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  changeProject: endpoint('PUT', '/projects/:projectId/extension-settings/:name', {
    summary: 'Changes the settings that are sent.',
    body: changes,
    reply: extensionSettings,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'REVISION_CONFLICT'],
  }),
}

/** A person's own settings, and the values that apply to the person in an app. */
export const ownExtensionSettingsEndpoints = {
  ofPerson: endpoint('GET', '/me/extension-settings', {
    summary:
      'The caller’s own settings of extensions with an app that they may open, in the project and as root.',
    query: inProject,
    reply: listOf(extensionSettings),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
  changePerson: endpoint('PUT', '/me/extension-settings/:name', {
    summary: 'Changes the settings that are sent.',
    query: inProject,
    body: changes,
    reply: extensionSettings,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'REVISION_CONFLICT'],
  }),
  /** Changes of a project are published on the store topics of its apps, others on `extensions` and `settings`. */
  values: endpoint('GET', '/app-settings/:app', {
    summary: 'The values of all settings that apply to the caller in an app, without secrets.',
    query: inProject,
    reply: z.object({ values: z.record(z.string(), z.nullable(value)) }),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
}
