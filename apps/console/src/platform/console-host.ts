import type { ConsoleHost, FileSender } from '@pult/sdk/host'
import { useMemo } from 'react'
import { api } from './api.ts'
import { isSessionEnd, messageOf } from './api-error.ts'
import { draftsOf } from './drafts.ts'
import { locale } from './locale.ts'
import { hasNotified, showMessage } from './notify.ts'
import { offerAction } from './offered-actions.ts'
import { claimTitle } from './page-title.ts'
import { isCancelled } from './recent-sign-in.ts'
import { openDocument } from './storage.ts'
import { forgetUpload, interruptedUploads, showInterrupted } from './unfinished-uploads.ts'
import { pageInput } from './unsaved-input/unsaved-input.ts'
import { subscribeUsable } from './usable-topic.ts'
import { usableNotification } from './usable-values.ts'
import { useCredentials } from './use-credentials.ts'

/** The host that the console provides to its own pages and to apps, for the SDK's hooks and components. */
export function useConsoleHostValue(): ConsoleHost {
  const credentials = useCredentials()
  return useMemo(
    () => ({
      credentials,
      locale,
      call: api,
      notify: showNotification,
      sendFile,
      unfinishedUploads,
      claimTitle,
      subscribe: subscribeUsable,
      holdUnsavedInput: pageInput.hold,
      openDocument: (href) => openDocument(href),
      drafts: draftsOf(credentials._id),
      offerAction,
    }),
    [credentials],
  )
}

export const showNotification: ConsoleHost['notify'] = (notification) => {
  const { title, text, tone, error, undo } = usableNotification(notification)
  if (isSessionEnd(error) || isCancelled(error)) return
  const isError = error !== undefined
  const message = {
    title,
    text: text ?? (isError ? messageOf(error) : undefined),
    tone: tone ?? (isError ? 'danger' : 'info'),
  } as const
  if (undo === undefined) showMessage(message, error)
  else {
    hasNotified.set(true)
    void import('./undoable.ts').then(({ showUndoable }) => showUndoable(message, undo)).catch(reportError)
  }
}

/** The upload code loads with the first file. */
const sendFile: ConsoleHost['sendFile'] = (file, options) => {
  let sender: FileSender | undefined
  const loaded = async () => {
    const { createFileSender } = await import('./file-sender.ts')
    return (sender ??= createFileSender(file, options))
  }
  return {
    send: async (how) => (await loaded()).send(how),
    deliver: async (call, how) => (await loaded()).deliver(call, how),
    forget: () => sender?.forget(),
  }
}

const unfinishedUploads: ConsoleHost['unfinishedUploads'] = {
  get: interruptedUploads.get,
  subscribe: (listener) => {
    // The tab of an upload may have crashed meanwhile.
    showInterrupted()
    return interruptedUploads.subscribe(listener)
  },
  discard: forgetUpload,
}
