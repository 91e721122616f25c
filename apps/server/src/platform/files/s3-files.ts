import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { AppError } from '../app-error.ts'
import { inBatches } from './batches.ts'
import {
  type ArrivedUpload,
  type ByteRange,
  type FileDriver,
  FileMissing,
  type WriteOptions,
} from './file-driver.ts'

export interface S3Options {
  endpoint: string | undefined
  region: string
  bucket: string
  accessKey: string
  secretKey: string
  pathStyle: boolean
  /** Where pictures lie while they are measured. */
  temporaryFolder: string
}

/** Each but the last has to be 5 MiB at least; 10,000 of them are enough for the largest file. */
const partBytes = 8 * 1024 * 1024

/** What one PUT may bring, and one copy may be of: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const putBytesMost = 5 * 1024 ** 3

const namePattern = /^[0-9a-f]{32}$/

/**
 * Files in a bucket. Clients put theirs where only uploads are; what was looked at there is copied, as it was then, to
 * its place, so that an address which is still good can change nothing of it.
 */
export function createS3Files(options: S3Options): FileDriver {
  const { bucket: Bucket, temporaryFolder } = options
  const client = new S3Client({
    region: options.region,
    forcePathStyle: options.pathStyle,
    credentials: { accessKeyId: options.accessKey, secretAccessKey: options.secretKey },
    ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
    // Sums of their own in trailers are not known by every store.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const keptKey = (name: string) => `kept/${checked(name)}`
  const uploadKey = (name: string) => `uploads/${checked(name)}`

  async function get(Key: string, { range, etag }: { range?: ByteRange | undefined; etag?: string } = {}) {
    const { Body } = await client
      .send(
        new GetObjectCommand({
          Bucket,
          Key,
          ...(range !== undefined && { Range: `bytes=${range.start}-${range.end}` }),
          ...(etag !== undefined && { IfMatch: etag }),
        }),
      )
      .catch(refuse)
    return Body as Readable
  }

  async function writeParts(
    Key: string,
    content: Readable,
    { contentType: ContentType, most, tooLong, signal }: WriteOptions,
  ): Promise<number> {
    const sending = { ...(signal !== undefined && { abortSignal: signal }) }
    let size = 0
    let UploadId: string | undefined
    const parts: { PartNumber: number; ETag: string | undefined }[] = []
    try {
      let last: Buffer | undefined
      for await (const chunks of inBatches(content, partBytes)) {
        if (last !== undefined) await sendPart(last)
        last = Buffer.concat(chunks)
        size += last.length
        if (size > most) throw tooLong()
      }
      signal?.throwIfAborted()
      if (UploadId === undefined) {
        const Body = last ?? Buffer.alloc(0)
        await client.send(new PutObjectCommand({ Bucket, Key, ContentType, Body }), sending)
        return size
      }
      if (last !== undefined) await sendPart(last)
      const MultipartUpload = { Parts: parts }
      await client.send(
        new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }),
        sending,
      )
      return size
    } catch (error) {
      content.destroy()
      // What cannot be given up now, the sweep gives up later.
      if (UploadId !== undefined) {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {})
      }
      throw error
    }

    async function sendPart(Body: Buffer): Promise<void> {
      UploadId ??= (
        await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType }), sending)
      ).UploadId
      const PartNumber = parts.length + 1
      const { ETag } = await client.send(
        new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }),
        sending,
      )
      parts.push({ PartNumber, ETag })
    }
  }

  async function arrived(name: string): Promise<ArrivedUpload | undefined> {
    const Key = uploadKey(name)
    const found = await client.send(new HeadObjectCommand({ Bucket, Key })).catch((error: unknown) => {
      if (statusOf(error) === 404) return undefined
      throw error
    })
    if (found?.ETag === undefined) return undefined
    const { ETag: etag, ContentLength: size = 0 } = found
    const remove = async () => void (await client.send(new DeleteObjectCommand({ Bucket, Key })))
    return {
      size,
      head: async (length) =>
        size === 0 || length === 0
          ? Buffer.alloc(0)
          : buffer(await get(Key, { etag, range: { start: 0, end: length - 1 } })),

      async withPath(look) {
        await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })
        const path = join(temporaryFolder, randomUUID())
        try {
          await pipeline(await get(Key, { etag }), createWriteStream(path, { mode: 0o600 }))
          return await look(path)
        } finally {
          await rm(path, { force: true })
        }
      },

      async keep() {
        const CopySource = `${Bucket}/${Key}`
        await client
          .send(new CopyObjectCommand({ Bucket, Key: keptKey(name), CopySource, CopySourceIfMatch: etag }))
          .catch(refuse)
        await remove()
      },

      remove,
    }
  }

  async function* olderThanIn(prefix: string, age: number): AsyncGenerator<string[]> {
    let ContinuationToken: string | undefined
    do {
      const page = await client.send(
        new ListObjectsV2Command({
          Bucket,
          Prefix: prefix,
          ...(ContinuationToken !== undefined && { ContinuationToken }),
        }),
      )
      const names = (page.Contents ?? [])
        .filter(({ LastModified }) => LastModified !== undefined && Date.now() - LastModified.getTime() > age)
        .map(({ Key = '' }) => Key.slice(prefix.length))
        .filter((name) => namePattern.test(name))
      if (names.length > 0) yield names
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken !== undefined)
  }

  /** The parts of files that were never finished lie where no list shows them. */
  async function giveUpUnfinished(age: number): Promise<void> {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'kept/' }))
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (Initiated !== undefined && Date.now() - Initiated.getTime() > age)
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    }
  }

  return {
    async write(name, content, writing) {
      return { size: await writeParts(keptKey(name), content, writing).catch(refuse), sha256: null }
    },

    read: (name, range) => get(keptKey(name), { range }),

    async remove(name) {
      for (const Key of [keptKey(name), uploadKey(name)]) {
        await client.send(new DeleteObjectCommand({ Bucket, Key }))
      }
    },

    async *olderThan(age) {
      await giveUpUnfinished(age)
      yield* olderThanIn('kept/', age)
      yield* olderThanIn('uploads/', age)
    },

    freeSpace: async () => undefined,

    uploads: {
      kind: 'direct',
      origin: originOf(options),
      most: putBytesMost,

      async addressToPut(name, { contentType, size }, seconds) {
        const put = new PutObjectCommand({
          Bucket,
          Key: uploadKey(name),
          ContentType: contentType,
          ContentLength: size,
        })
        // Neither is signed by itself, and then anything could be put there.
        const url = await getSignedUrl(client, put, {
          expiresIn: seconds,
          signableHeaders: new Set(['host', 'content-type', 'content-length']),
        })
        return { url, headers: { 'content-type': contentType } }
      },

      arrived,

      addressToGet: (name, { contentType, disposition }, seconds) =>
        getSignedUrl(
          client,
          new GetObjectCommand({
            Bucket,
            Key: keptKey(name),
            ResponseContentType: contentType,
            ResponseContentDisposition: disposition,
          }),
          { expiresIn: seconds },
        ),
    },
  }
}

function originOf({ endpoint, region, bucket, pathStyle }: S3Options): string {
  const { protocol, host } = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  return `${protocol}//${pathStyle ? host : `${bucket}.${host}`}`
}

/** A name of another shape is none of ours, whoever asks for it. */
function checked(name: string): string {
  if (!namePattern.test(name)) throw new FileMissing()
  return name
}

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

function refuse(error: unknown): never {
  const status = statusOf(error)
  if (status === 404) throw new FileMissing()
  // What was found first has been put over meanwhile.
  if (status === 412) throw new AppError('UPLOAD_INCOMPLETE')
  if (status !== 507) throw error
  const refusal = new AppError('DISK_FULL')
  refusal.cause = error
  throw refusal
}
