import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { openS3Client, openS3Sender, type S3Access, statusOf } from '#platform/files/s3-client.ts'
import { type BackupStore, MissingInBackup, type Place, shelfOf } from './backup-store.ts'
import { sendBodyDigests } from './body-digest.ts'

/** A part of 32 MiB permits an archive of 312 GiB in the 10,000 parts that a store accepts. */
const partBytes = 32 * 1024 * 1024

export interface S3StoreOptions extends S3Access {
  bucket: string
  /** Without a slash at its end; empty for the whole bucket. */
  prefix: string
}

/** Stores backups in a bucket. An object appears when its last part has arrived. */
export function createS3Store({ bucket: Bucket, prefix, ...access }: S3StoreOptions): BackupStore {
  const client = openS3Client(access)
  const sender = openS3Sender(access)
  sendBodyDigests(sender)
  const start = prefix === '' ? '' : `${prefix}/`
  const keyOf = (place: Place, name: string) => `${start}${shelfOf(place, name)}/${name}`
  const location = `s3://${Bucket}${prefix === '' ? '' : `/${prefix}`}`
  const pathOf = (place: Place, name: string) => `s3://${Bucket}/${keyOf(place, name)}`
  const headOf = (place: Place, name: string) =>
    client.send(new HeadObjectCommand({ Bucket, Key: keyOf(place, name) })).catch(ignoreMissing)

  return {
    location,
    pathOf,
    async prepare() {
      for (const place of ['archives', 'files'] as const)
        await abortUploads(client, Bucket, `${start}${place}/`)
    },

    async *list(place) {
      let ContinuationToken: string | undefined
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: `${start}${place}/`,
            ...(ContinuationToken !== undefined && { ContinuationToken }),
          }),
        )
        for (const { Key = '' } of page.Contents ?? []) yield Key.slice(Key.lastIndexOf('/') + 1)
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },

    sizeOf: async (place, name) => (await headOf(place, name))?.ContentLength,
    writtenAt: async (place, name) => (await headOf(place, name))?.LastModified,

    async read(place, name) {
      const get = new GetObjectCommand({ Bucket, Key: keyOf(place, name) })
      const found = await client.send(get).catch(ignoreMissing)
      if (found === undefined) throw new MissingInBackup(pathOf(place, name))
      return found.Body as Readable
    },

    async write(place, name, content) {
      const digest = createHash('sha256')
      let size = 0
      async function* counted() {
        for await (const chunk of content as AsyncIterable<Buffer>) {
          digest.update(chunk)
          size += chunk.length
          yield chunk
        }
      }
      const params = { Bucket, Key: keyOf(place, name), Body: Readable.from(counted()) }
      try {
        await new Upload({ client: sender, params, partSize: partBytes, queueSize: 1 }).done()
      } catch (error) {
        content.destroy()
        throw error
      }
      const stored = await this.sizeOf(place, name)
      if (stored !== size) {
        await this.remove(place, name)
        throw new Error(`the bucket ${Bucket} does not contain what was written to it`)
      }
      return { size, sha256: digest.digest('hex') }
    },

    async remove(place, name) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(place, name) }))
    },
  }
}

/**
 * Aborts interrupted uploads, which use space and which listings omit. Uploads of other programs to the bucket may
 * still run.
 */
async function abortUploads(client: S3Client, Bucket: string, Prefix: string): Promise<void> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
  for (const { Key, UploadId } of Uploads)
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
}

function ignoreMissing(error: unknown): undefined {
  if (statusOf(error) === 404) return undefined
  throw error
}
