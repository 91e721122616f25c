import { type UploadState, useFileUpload, useNotify, useProject } from '@pult/sdk'
import type { MediaItem } from '@pult/sdk/api'
import { useEffect, useRef } from 'react'
import { accepted } from './accepted.ts'
import { useChangeMedium } from './media.queries.ts'
import { texts } from './media.texts.ts'
import { UploadButton, UploadField } from './UploadButton.tsx'

/** Replaces the file of a medium. Everything that uses the medium then shows the new file. */
export function ReplaceButton({ item: { _id: itemId } }: { item: MediaItem }) {
  const notify = useNotify()
  const { _id: project } = useProject()
  const { mutateAsync: change } = useChangeMedium(itemId)
  const { state, start, failed, dismiss } = useFileUpload({
    accept: accepted,
    project,
    place: 'replace',
    onUploaded: async ({ filename }) => {
      // Sends no revision, because a new name or tag during the upload must not reject the file.
      await change({ body: { file: filename } })
      notify({ title: texts.replaced, tone: 'success' })
    },
  })
  useEffect(() => {
    const [failure] = failed
    if (failure === undefined) return
    notify({ title: texts.replacingFailed, text: failure.message, tone: 'danger' })
    dismiss()
  }, [failed, dismiss, notify])
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <UploadField ref={field} label={texts.replaceLabel} multiple={false} onFiles={start} />
      <UploadButton field={field} label={labelOf(state)} pending={state.kind !== 'idle'} />
    </>
  )
}

function labelOf(state: UploadState): string {
  if (state.kind !== 'uploading') return texts.replace
  return state.isWaiting === true ? texts.replacingWaits : texts.replacing(state.percent)
}
