import { fileEndpoints, type Task } from '@pult/contract'
import { useMutation } from '@tanstack/react-query'
import type { Call } from '../call.ts'
import { useConsoleHost } from '../host.ts'
import { useTaskTexts } from './tasks.texts.ts'

/** Saves the file that a task has made: asks for a link to it, which is good for a short time, and follows that. */
export async function downloadResult(call: Call, { fileUrl, fileName = '' }: Task['state']): Promise<void> {
  if (fileUrl === undefined) return
  const { url } = await call({ ...fileEndpoints.link, path: fileUrl as never }, {})
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.rel = 'noreferrer'
  link.click()
}

/** {@link downloadResult} of one task; what is refused is told at the edge of the console. */
export function useDownloadResult(task: Task): { download: () => void; isPending: boolean } {
  const texts = useTaskTexts()
  const { call, notify } = useConsoleHost()
  const { mutate, isPending } = useMutation({
    mutationFn: () => downloadResult(call, task.state),
    onError: (error) => notify({ title: texts.downloadFailed, error }),
  })
  return { download: mutate, isPending }
}
