import type { ConsoleHost } from '@pult/sdk/host'
import { useMemo } from 'react'
import { api } from './api.ts'
import { isSessionEnd, messageOf } from './api-error.ts'
import { draftsOf } from './drafts.ts'
import { locale } from './locale.ts'
import { showMessage } from './notify.ts'
import { claimTitle } from './page-title.ts'
import { subscribe } from './realtime.ts'
import { holdUnsavedInput } from './unsaved-input/unsaved-input.ts'
import { useCredentials } from './use-credentials.ts'

/** What the console gives its own pages and the apps, for the hooks and parts of the SDK. */
export function useConsoleHostValue(): ConsoleHost {
  const credentials = useCredentials()
  return useMemo(
    () => ({
      credentials,
      locale,
      call: api,
      notify,
      claimTitle,
      subscribe,
      holdUnsavedInput,
      drafts: draftsOf(credentials._id),
    }),
    [credentials],
  )
}

const notify: ConsoleHost['notify'] = ({ title, text, tone, error }) => {
  if (isSessionEnd(error)) return
  const isError = error !== undefined
  showMessage({
    title,
    text: text ?? (isError ? messageOf(error) : undefined),
    tone: tone ?? (isError ? 'danger' : 'info'),
  })
}
