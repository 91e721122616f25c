import type { Project } from '@pult/contract'
import { type AppHost, readAgain, useConsoleHost } from '@pult/sdk/host'
import { useMemo } from 'react'
import { download, upload } from '#platform/file-transfer.ts'
import { queryClient } from '#platform/query-client.ts'
import { withRecentSignIn } from '../recent-sign-in/recent-sign-in.queries.ts'
import { hasRole } from './app-access.ts'
import type { AppManifest } from './registry.ts'

interface HostParts {
  manifest: AppManifest
  project: Project | null
  basePath: string
}

/** What the console gives an app: all that its own pages have, and the app's place in it. */
export function useHost({ manifest, project, basePath }: HostParts): AppHost {
  const host = useConsoleHost()
  return useMemo(
    () => ({
      ...host,
      app: manifest,
      project,
      refreshProject: () => readAgain(queryClient, ['projects']),
      basePath,
      // An app's calls ask for a recent sign-in by themselves; the console's own pages know which of theirs do.
      call: (endpoint, ...input) => withRecentSignIn(() => host.call(endpoint, ...input)),
      upload: (path, file, options) => withRecentSignIn(() => upload(path, file, options)),
      download: (endpoint, ...input) => withRecentSignIn(() => download(endpoint, ...input)),
      hasRole: (role) => hasRole(host.credentials, project, role),
    }),
    [host, manifest, project, basePath],
  )
}
