import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
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
  ListPartsCommand,
  type ListPartsCommandOutput,
  type MultipartUpload,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { AppError } from '../app-error.ts'
import { isTransient } from '../transient.ts'
import {
  type ArrivedPart,
  type ArrivedUpload,
  type ByteRange,
  type DirectParts,
  type FileDriver,
  FileMissing,
  type WriteOptions,
} from './file-driver.ts'
import { storeUnavailable } from './file-store-fault.ts'
import { openS3Client, openS3Sender, type S3Access, statusOf, transferTimeout } from './s3-client.ts'
import { faultOfS3 } from './s3-fault.ts'

export interface S3Options extends S3Access {
  bucket: string
  /** A folder for pictures during their measurement. */
  temporaryFolder: string
}

/** All parts but the last need at least 5 MiB. The maximum of 10,000 parts covers the largest file. */
const partBytes = 8 * 1024 * 1024

/** The limit of one PUT and of one copy: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const putBytesMost = 5 * 1024 ** 3

const namePattern = /^[0-9a-f]{32}$/

/** No file has this name, so that no list of files contains it. All nodes share it. */
const proofName = 'write-test'

/** Milliseconds for which a proof holds. A bucket with versioning keeps each proof. */
const proofInterval = 600_000

/**
 * Stores files in a bucket. Clients upload below `uploads/`. The server checks an upload and copies exactly these
 * bytes to `kept/`, so that an upload address that is still valid cannot change the file.
 */
export function createS3Files(options: S3Options): FileDriver {
  const { bucket: Bucket, temporaryFolder } = options
  const client = openS3Client(options)
  const sender = openS3Sender(options)
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
    signal?.throwIfAborted()
    let size = 0
    async function* counted() {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > most) throw tooLong()
        yield chunk
      }
    }
    const params = { Bucket, Key, ContentType, Body: Readable.from(counted()) }
    const upload = new Upload({ client: sender, params, partSize: partBytes })
    const abort = () => void upload.abort()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      await upload.done()
      return size
    } catch (error) {
      content.destroy()
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  async function arrived(name: string): Promise<ArrivedUpload | undefined> {
    const Key = uploadKey(name)
    const found = await client.send(new HeadObjectCommand({ Bucket, Key })).catch((error: unknown) => {
      if (statusOf(error) === 404) return undefined
      return refuse(error)
    })
    if (found?.ETag === undefined) return undefined
    const { ETag: etag, ContentLength: size = 0 } = found
    const remove = async () => {
      await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(refuse)
    }
    return {
      size,
      read: async (start, length) =>
        start >= size || length === 0
          ? Buffer.alloc(0)
          : buffer(await get(Key, { etag, range: { start, end: start + length - 1 } })),

      async withPath(read) {
        await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })
        const path = join(temporaryFolder, randomUUID())
        try {
          await pipeline(await get(Key, { etag }), createWriteStream(path, { mode: 0o600 }))
          return await read(path)
        } finally {
          await rm(path, { force: true })
        }
      },

      async keep() {
        const CopySource = `${Bucket}/${Key}`
        const copy = new CopyObjectCommand({
          Bucket,
          Key: keptKey(name),
          CopySource,
          CopySourceIfMatch: etag,
        })
        await client.send(copy, { requestTimeout: transferTimeout }).catch(refuse)
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
        .filter(({ LastModified }) => isOlder(LastModified, age))
        .map(({ Key = '' }) => Key.slice(prefix.length))
        .filter((name) => namePattern.test(name))
      if (names.length > 0) yield names
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken !== undefined)
  }

  let provenUntil = -Infinity

  /** Throws unless the key can write, read and delete here: its policy may name the prefixes of files only. */
  async function prove(place: string): Promise<void> {
    const Key = `${place}${proofName}`
    const to = (action: string) => (error: unknown) => {
      throw faultOfS3(error, Bucket, { action, place })
    }
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' })).catch(to('PutObject'))
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
      await buffer(Body as Readable)
    } catch (error) {
      // Another node has just deleted it.
      if (statusOf(error) !== 404) to('GetObject')(error)
    }
    await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(to('DeleteObject'))
  }

  /** Throws unless clients can upload in parts, and the server can list, join and abort them. */
  async function proveParts(): Promise<void> {
    const place = 'uploads/'
    const Key = `${place}${proofName}`
    const to = (action: string) => (error: unknown) => {
      throw faultOfS3(error, Bucket, { action, place })
    }
    const begun = await client.send(new CreateMultipartUploadCommand({ Bucket, Key })).catch(to('PutObject'))
    const upload = { Bucket, Key, UploadId: begun?.UploadId }
    try {
      await client.send(new ListPartsCommand(upload)).catch(to('ListMultipartUploadParts'))
      await client
        .send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key, MaxUploads: 1 }))
        .catch((error: unknown) => {
          throw faultOfS3(error, Bucket, { action: 'ListBucketMultipartUploads', place: '' })
        })
    } finally {
      await client.send(new AbortMultipartUploadCommand(upload)).catch(to('AbortMultipartUpload'))
    }
  }

  async function list(): Promise<void> {
    const first = new ListObjectsV2Command({ Bucket, Prefix: 'kept/', MaxKeys: 1 })
    await client.send(first).catch((error: unknown) => {
      throw faultOfS3(error, Bucket, { action: 'ListBucket', place: '' })
    })
  }

  /** Yields the multipart uploads of a prefix, whose parts object listings omit. */
  async function* unfinishedIn(Prefix: string): AsyncGenerator<MultipartUpload> {
    let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
    for (;;) {
      const page = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...marker }))
      yield* page.Uploads ?? []
      if (page.IsTruncated !== true) return
      marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
    }
  }

  async function abortParts(Key: string, UploadId: string): Promise<void> {
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch((error: unknown) => {
      if (statusOf(error) !== 404) refuse(error)
    })
  }

  const isOlder = (time: Date | undefined, age: number) =>
    time !== undefined && Date.now() - time.getTime() > age

  /** Aborts old multipart uploads of the server. */
  async function abortUnfinished(age: number): Promise<void> {
    for await (const { Key = '', UploadId = '', Initiated } of unfinishedIn('kept/')) {
      if (isOlder(Initiated, age)) await abortParts(Key, UploadId)
    }
  }

  /** Yields the names of old multipart uploads of clients. Those of known files can still be resumed. */
  async function* unfinishedOlderThan(age: number): AsyncGenerator<string[]> {
    for await (const { Key = '', Initiated } of unfinishedIn('uploads/')) {
      const name = Key.slice('uploads/'.length)
      if (isOlder(Initiated, age) && namePattern.test(name)) yield [name]
    }
  }

  /** Aborts all multipart uploads of a client's file, including those whose id a killed server has not recorded. */
  async function abortUploads(name: string): Promise<void> {
    try {
      for await (const { Key = '', UploadId = '' } of unfinishedIn(uploadKey(name)))
        await abortParts(Key, UploadId)
    } catch (error) {
      // The check of the bucket names the missing permission.
      if (!isDenied(error)) throw error
    }
  }

  const parts: DirectParts = {
    bytes: partBytes,

    async begin(name, ContentType) {
      const Key = uploadKey(name)
      try {
        const { UploadId = '' } = await client.send(
          new CreateMultipartUploadCommand({ Bucket, Key, ContentType }),
        )
        // Without the permission to list its parts, an upload could not be resumed or completed.
        await client
          .send(new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 1 }))
          .catch(async (error: unknown) => {
            await abortParts(Key, UploadId)
            throw error
          })
        return UploadId
      } catch (error) {
        return isDenied(error) ? undefined : refuse(error)
      }
    },

    async list(name, UploadId) {
      const found: ArrivedPart[] = []
      let PartNumberMarker: string | undefined
      for (;;) {
        const next = { Bucket, Key: uploadKey(name), UploadId, PartNumberMarker }
        const page: ListPartsCommandOutput | undefined = await client
          .send(new ListPartsCommand(next))
          .catch((error: unknown) => (statusOf(error) === 404 ? undefined : refuse(error)))
        if (page === undefined) return undefined
        for (const { PartNumber: number = 0, Size: size = 0, ETag: etag = '' } of page.Parts ?? [])
          found.push({ number, size, etag })
        if (page.IsTruncated !== true) return found
        PartNumberMarker = page.NextPartNumberMarker
      }
    },

    addressToPut(name, UploadId, { number: PartNumber, size: ContentLength }, seconds) {
      const put = new UploadPartCommand({
        Bucket,
        Key: uploadKey(name),
        UploadId,
        PartNumber,
        ContentLength,
      })
      const signableHeaders = new Set(['host', 'content-length'])
      return getSignedUrl(client, put, { expiresIn: seconds, signableHeaders })
    },

    async join(name, UploadId, arrivedParts) {
      const Parts = arrivedParts.map(({ number: PartNumber, etag: ETag }) => ({ PartNumber, ETag }))
      const Key = uploadKey(name)
      const joining = new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts },
      })
      await client.send(joining, { requestTimeout: transferTimeout }).catch((error: unknown) => {
        // A late repeat has replaced a part since the parts were listed.
        if (error instanceof Error && error.name === 'InvalidPart') throw new AppError('UPLOAD_INCOMPLETE')
        // An earlier attempt has joined them. The caller looks for the object.
        if (statusOf(error) !== 404) refuse(error)
      })
    },

    abort: (name, id) => abortParts(uploadKey(name), id),
  }

  return {
    async write(name, content, writing) {
      return { size: await writeParts(keptKey(name), content, writing).catch(refuse), sha256: null }
    },

    read: (name, range) => get(keptKey(name), { range }),

    async remove(name) {
      for (const Key of [keptKey(name), uploadKey(name)]) {
        await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(refuse)
      }
      await abortUploads(name)
    },

    async *olderThan(age) {
      await abortUnfinished(age)
      yield* olderThanIn('kept/', age)
      yield* olderThanIn('uploads/', age)
      yield* unfinishedOlderThan(age)
    },

    // The address and the name identify a bucket.
    identify: async () => `${options.endpoint ?? options.region}/${Bucket}`,

    async check({ isReading = false } = {}) {
      const isProven = isReading || performance.now() < provenUntil
      const results = await Promise.allSettled([
        list(),
        ...(isProven ? [] : [prove('kept/'), prove('uploads/'), proveParts()]),
      ])
      // Always the same of several faults, so that the log does not alternate between them.
      const failed = results.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
      if (!isProven) provenUntil = performance.now() + proofInterval
    },

    space: async () => undefined,

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
        // The SDK signs neither by default, and then the address would accept any content.
        const url = await getSignedUrl(client, put, {
          expiresIn: seconds,
          signableHeaders: new Set(['host', 'content-type', 'content-length']),
        })
        return { url, headers: { 'content-type': contentType } }
      },

      parts,
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

/** Rejects a name that the server cannot have created. */
function checked(name: string): string {
  if (!namePattern.test(name)) throw new FileMissing()
  return name
}

function refuse(error: unknown): never {
  const status = statusOf(error)
  if (status === 404) throw new FileMissing()
  // Another upload has replaced the bytes that were checked.
  if (status === 412) throw new AppError('UPLOAD_INCOMPLETE')
  if (status !== 507 && !isUnavailable(error, status)) throw error
  if (status !== 507) throw storeUnavailable(error)
  const refusal = new AppError('DISK_FULL')
  refusal.cause = error
  throw refusal
}

/** Returns whether the store does not know a request, or the key may not send it. */
const isDenied = (error: unknown) => [403, 405, 501].includes(statusOf(error) ?? 0)

/** Returns whether the store did not answer or reported that it is unavailable. */
const isUnavailable = (error: unknown, status: number | undefined) =>
  status === undefined
    ? isTransient(error) || (error instanceof Error && error.name === 'TimeoutError')
    : (status >= 500 && status !== 501) || status === 429
