import type { InstalledExtension } from '@pult/contract'
import { type Language, textIn } from '#platform/language.ts'
import { inLanguage } from './manifests/in-language.ts'
import { manifestOf } from './packages/library.ts'
import type { DecidedExtension } from './packages/running.ts'

/** Returns the record of an extension for root. */
export function installedRecordOf(extension: DecidedExtension, language: Language): InstalledExtension {
  const { id, versions, state, isEnabled, running, problem } = extension
  const usable = versions.find(({ content }) => 'package' in content)
  const shown = inLanguage(running?.manifest ?? manifestOf(usable ?? versions[0] ?? missing(id)), language)
  return {
    id,
    label: shown?.label ?? id,
    version: shown?.version ?? '',
    description: shown?.description ?? '',
    isEnabled,
    problem: problem && textIn(problem, language),
    apps: shown?.apps.map((app) => ({ id: app.id, label: app.label, icon: app.icon })) ?? [],
    products: shown?.products.map(({ sku, label }) => ({ sku, label })) ?? [],
    backend:
      shown?.backend === undefined
        ? null
        : {
            label: shown.backend.label,
            url: state?.backendUrl ?? null,
            allowsHttp: state?.backendAllowsHttp ?? false,
          },
    versions: versions.map((version) => {
      const manifest = manifestOf(version)
      const { content, digest, source } = version
      return {
        version: manifest?.version ?? '',
        digest,
        source,
        isRunning: running !== undefined && running.digest === digest,
        problem: 'problem' in content ? textIn(content.problem, language) : null,
        sdk: manifest?.sdk ?? null,
        size: 'package' in content ? content.package.size : 0,
      }
    }),
    changedAt: state?.changedAt.toISOString() ?? null,
  }
}

function missing(id: string): never {
  throw new Error(`The extension ${id} has no version`)
}
