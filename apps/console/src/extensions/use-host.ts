import type { Project } from '@pult/contract'
import type { AppHost } from '@pult/sdk/host'
import { useMemo } from 'react'
import { api } from '#platform/api.ts'
import { download, upload } from '#platform/file-transfer.ts'
import { locale } from '#platform/locale.ts'
import { notify } from '#platform/notify.ts'
import { pushTitle } from '#platform/page-title.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { withRecentSignIn } from '../recent-sign-in/recent-sign-in.queries.ts'
import { hasRole } from './app-access.ts'
import type { AppManifest } from './registry.ts'

interface HostParts {
  manifest: AppManifest
  project: Project | null
  basePath: string
}

/** What the console gives an app. */
export function useHost({ manifest, project, basePath }: HostParts): AppHost {
  const credentials = useCredentials()
  return useMemo(
    () => ({
      app: manifest,
      project,
      credentials,
      basePath,
      locale,
      hasRole: (role) => hasRole(credentials, project, role),
      call: (endpoint, input) => withRecentSignIn(() => api(endpoint, input as never)),
      upload: (path, file, options) => withRecentSignIn(() => upload(path, file, options)),
      download: (endpoint, input) => withRecentSignIn(() => download(endpoint, input)),
      notify: ({ title, text, tone = 'info' }) =>
        tone === 'danger' ? notify.error(title, new Error(text ?? '')) : notify[tone](title, text),
      pushTitle,
    }),
    [manifest, project, credentials, basePath],
  )
}
