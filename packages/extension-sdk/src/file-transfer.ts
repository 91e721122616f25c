import { type AppHost, type UploadOptions, useAppHost } from './host.ts'

/**
 * Returns a function that sends a file to the server as the body of a `PUT`.
 *
 * @example const upload = useUpload(); await upload('/apps/root/extensions', file, { contentType: 'application/gzip' })
 * @throws like calls. Without `reply`, the server's reply is returned unchecked.
 */
export function useUpload(): (path: string, file: Blob, options: UploadOptions) => Promise<unknown> {
  return useAppHost().upload
}

/**
 * Returns a function with which the browser saves the reply of a call, under the name that the server provides.
 *
 * @example const download = useDownload(); await download(auditEndpoints.export, { query: { format: 'csv' } })
 * @throws like calls.
 */
export function useDownload(): AppHost['download'] {
  return useAppHost().download
}
