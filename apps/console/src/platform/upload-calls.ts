import { fileEndpoints, type ResumedUpload, type StoredFile, type UploadTicket } from '@pult/contract'
import { api, isErrorReply } from './api.ts'
import { ApiError } from './api-error.ts'
import { foreignAnswer, secondsOf } from './foreign-answer.ts'
import { texts } from './platform.texts.ts'
import { texts as uploadTexts } from './uploads.texts.ts'

/** Milliseconds after which the number of received bytes is requested again. */
const headTimeout = 30_000

type Signal = AbortSignal | undefined

const inputOf = (filename: string, signal: Signal) => ({
  params: { filename },
  ...(signal !== undefined && { signal }),
})

export const completeUpload = (filename: string, signal: Signal) =>
  api(fileEndpoints.complete, inputOf(filename, signal))

/** Codes of an upload that cannot continue, and of a server of the previous release, which has no such call. */
const gone = new Set(['NOT_FOUND', 'TICKET_NOT_VALID', 'UPLOAD_INCOMPLETE'])

async function unlessGone<Reply>(reply: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof ApiError && gone.has(error.code)) return undefined
    throw error
  }
}

/** Returns a new address and what is missing; undefined if the upload cannot continue. */
export const resumeUpload = (filename: string, signal: Signal): Promise<ResumedUpload | undefined> =>
  unlessGone(api(fileEndpoints.resume, inputOf(filename, signal)))

/** Returns the file; undefined if it is not complete. */
export const storedUpload = (filename: string, signal: Signal): Promise<StoredFile | undefined> =>
  unlessGone(completeUpload(filename, signal))

/** Returns the number of bytes that have arrived; undefined if the address has expired. */
export async function receivedBytes({ url }: UploadTicket, signal: Signal): Promise<number | undefined> {
  const timeout = AbortSignal.timeout(headTimeout)
  const response = await fetch(url, {
    method: 'HEAD',
    cache: 'no-store',
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ApiError({ code: 'NETWORK', status: 0, message: texts.network, cause })
  })
  const offset = response.headers.get('upload-offset')
  if (offset !== null && response.ok) {
    const retryAfter = secondsOf(response.headers)
    if (retryAfter === undefined) return Number(offset)
    // Some browsers lose the rejection of a body that they are still sending.
    throw new ApiError({ code: 'UPLOAD_RUNNING', status: 409, message: texts.network, retryAfter })
  }
  // An answer to HEAD has no body. The errors of the server are of this type.
  if (/\bjson\b/.test(response.headers.get('content-type') ?? '')) return undefined
  throw foreignAnswer(response)
}

/** Returns the error of another store than the server. Its body is XML. */
export function storeError(answer: Parameters<typeof foreignAnswer>[0], json: unknown): ApiError | undefined {
  const { status } = answer
  if (isErrorReply(json) || status >= 500 || status === 408) return undefined
  return new ApiError({ code: 'STORE_REFUSED', status, message: uploadTexts.storeRefused })
}
