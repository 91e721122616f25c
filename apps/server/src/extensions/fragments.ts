import type { Fragment } from '@pult/contract'
import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import { mayOpen, type ProjectOfApp } from './app-access.ts'
import type { ExtensionService } from './extension.service.ts'
import { inLanguage } from './manifests/in-language.ts'

/** Returns the fragments with apps that the caller may open: those of a project, or root apps when it is null. */
export type ReadFragments = (caller: Caller, project: ProjectOfApp | null, language: Language) => Fragment[]

export const createReadFragments =
  (extensions: ExtensionService): ReadFragments =>
  (caller, project, language) =>
    inLanguage(
      extensions.fragmentsWith((app) => mayOpen(app, caller, project), language),
      language,
    )
