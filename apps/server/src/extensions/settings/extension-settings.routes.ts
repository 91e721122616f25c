import {
  extensionSettingsEndpoints,
  ownExtensionSettingsEndpoints,
  type Project,
  rootExtensionSettingsEndpoints,
} from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import { requireRecentSignIn, root, rootRecently, signedIn } from '../../auth/permissions.ts'
import { type FindProject, mayOpen, openedApp } from '../app-access.ts'
import type { ExtensionService } from '../extension.service.ts'
import type { ProductRegistry } from '../manifests/product-registry.ts'
import { type ExtensionSettingsService, settingsOf } from './extension-settings.service.ts'

interface ExtensionSettingsRoutesParts {
  settings: ExtensionSettingsService
  extensions: Pick<ExtensionService, 'running' | 'described'>
  products: ProductRegistry
  projects: {
    read: FindProject
    /** Throws unless the caller may edit the project. */
    checkEdited: (caller: Caller, projectId: string) => Promise<Project>
  }
  /** Permission to read the settings of a project. */
  settingsRole: Permission<Caller>
}

export function addExtensionSettingsRoutes(app: FastifyInstance, parts: ExtensionSettingsRoutesParts): void {
  const { settings, extensions, products, projects, settingsRole } = parts
  const calls = {
    ...rootExtensionSettingsEndpoints,
    ...extensionSettingsEndpoints,
    ...ownExtensionSettingsEndpoints,
  }
  const ofInstallation = (extension: string) => ({ extension, projectId: null, personId: null })

  route(app, calls.ofInstallation, { allow: root }, ({ params: { name }, language }) =>
    settings.read(found(extensions.described(name)), ofInstallation(name), language),
  )
  route(
    app,
    calls.changeInstallation,
    { allow: rootRecently },
    ({ params: { name }, body, caller, ...call }) =>
      settings.change(found(extensions.described(name)), ofInstallation(name), {
        ...call,
        values: body.values,
        actorId: caller.personId,
      }),
  )

  /** Editors of the project, such as its organisation's owner, need no role. */
  const reader: Permission<Caller> = {
    name: `${settingsRole.name}, or may edit the project`,
    async decide(caller, params, request) {
      const known = await signedIn.decide(caller, {})
      const project = await projects.read(known, params['projectId'] ?? '')
      const isEditor = 'access' in project && project.access !== 'grant'
      return isEditor ? known : settingsRole.decide(known, params, request)
    },
  }
  const inProject = (extension: string, projectId: string) => ({ extension, projectId, personId: null })
  const usedBy = (skus: readonly string[], projectId: string) =>
    extensions
      .running()
      .filter(({ apps }) => apps.some(({ productSku }) => skus.includes(productSku)))
      .filter((manifest) => settingsOf(manifest, inProject(manifest.id, projectId)).length > 0)

  route(app, calls.ofProject, { allow: reader }, async ({ caller, params: { projectId }, language }) => {
    const project = await projects.read(caller, projectId)
    const items = await Promise.all(
      usedBy(project.products, projectId).map((manifest) =>
        settings.read(manifest, inProject(manifest.id, projectId), language),
      ),
    )
    return { items, total: items.length }
  })
  route(app, calls.changeProject, { allow: signedIn }, async ({ caller, params, body, ...call }) => {
    const { projectId, name } = params
    const project = await projects.checkEdited(caller, projectId)
    // A setting may name the place to which a service sends the project's data.
    requireRecentSignIn(caller)
    const manifest = found(usedBy(project.products, projectId).find(({ id }) => id === name))
    return settings.change(manifest, inProject(name, projectId), {
      ...call,
      values: body.values,
      actorId: caller.personId,
    })
  })

  const ofPerson = (extension: string, personId: string) => ({ extension, projectId: null, personId })
  async function openTo(caller: Caller, projectId: string | undefined) {
    const project = projectId === undefined ? null : await projects.read(caller, projectId)
    return extensions
      .running()
      .filter((manifest) => settingsOf(manifest, ofPerson(manifest.id, caller.personId)).length > 0)
      .filter(({ apps }) =>
        apps.some((one) => mayOpen(one, caller, null) || (project !== null && mayOpen(one, caller, project))),
      )
  }
  route(app, calls.ofPerson, { allow: signedIn }, async ({ caller, query, language }) => {
    const items = await Promise.all(
      (await openTo(caller, query.project)).map((manifest) =>
        settings.read(manifest, ofPerson(manifest.id, caller.personId), language),
      ),
    )
    return { items, total: items.length }
  })
  route(
    app,
    calls.changePerson,
    { allow: signedIn },
    async ({ caller, params: { name }, query, body, ...call }) => {
      const manifest = found((await openTo(caller, query.project)).find(({ id }) => id === name))
      return settings.change(manifest, ofPerson(name, caller.personId), {
        ...call,
        values: body.values,
        actorId: caller.personId,
      })
    },
  )

  route(app, calls.values, { allow: signedIn }, async ({ caller, params, query }) => {
    const projectId = query.project ?? null
    const place = { appId: params.app, projectId }
    const { app: opened } = await openedApp(
      { findApp: products.findApp, findProject: projects.read },
      caller,
      place,
    )
    const manifest = found(extensions.running().find(({ apps }) => apps.some(({ id }) => id === opened.id)))
    const whose = { projectId, personId: caller.personId }
    return { values: await settings.valuesFor(manifest, whose, { withSecrets: false }) }
  })
}

function found<Found>(one: Found | undefined): Found {
  if (one === undefined) throw new AppError('NOT_FOUND')
  return one
}
