import { type Project, projectEndpoints } from '@pult/contract'
import { type AppHost, readTouched, useConsoleHost } from '@pult/sdk/host'
import { useMemo } from 'react'
import { draftsIn } from '#platform/drafts.ts'
import { download, upload } from '#platform/file-transfer.ts'
import { queryClient } from '#platform/query-client.ts'
import { AppAskForAccess } from './AppAskForAccess.tsx'
import { hasRole } from './app-access.ts'
import { PageActions } from './PageActions.tsx'
import { PageCards } from './PageCards.tsx'
import { PageTabs } from './PageTabs.tsx'
import type { AppManifest } from './registry.ts'

interface HostParts {
  manifest: AppManifest
  project: Project | null
  basePath: string
}

/** The host that the console passes to an app: everything its own pages have, and the app's base path. */
export function useHost({ manifest, project, basePath }: HostParts): AppHost {
  const host = useConsoleHost()
  return useMemo(
    () => ({
      ...host,
      app: manifest,
      project,
      drafts: project === null ? host.drafts : draftsIn(project._id, host.drafts),
      refreshProject: () => readTouched(queryClient, [projectEndpoints.list, projectEndpoints.read]),
      basePath,
      upload,
      download,
      PageTabs,
      PageCards,
      PageActions,
      AskForAccess: AppAskForAccess,
      hasRole: (role) => hasRole(host.credentials, project, role),
    }),
    [host, manifest, project, basePath],
  )
}
