import { type AppHost, type UploadOptions, useAppHost } from './host.ts'

/**
 * Sends a file to the server as it is: `PUT` with its bytes as the body.
 *
 * @example const upload = useUpload(); await upload('/apps/root/extensions', file, { contentType: 'application/gzip' })
 * @throws as calls do. The answer is what the server says, unchecked.
 */
export function useUpload(): (path: string, file: Blob, options: UploadOptions) => Promise<unknown> {
  return useAppHost().upload
}

/**
 * Has the browser save what a call answers, under the name that the server gives it.
 *
 * @example const download = useDownload(); await download(auditEndpoints.export, { query: { format: 'csv' } })
 * @throws as calls do.
 */
export function useDownload(): AppHost['download'] {
  return useAppHost().download
}
