import { createHash, getFips } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'

const sliceBytes = 1024 * 1024

/**
 * Sends the MD5 of each body. A bucket whose objects are locked for a time refuses bodies without a digest, and every
 * store knows this one, unlike the checksums of the SDK.
 */
export function sendBodyDigests(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const request = args.request as { body?: unknown; headers: Record<string, string> }
      // A machine in FIPS mode has no MD5.
      if (request.body instanceof Uint8Array && getFips() === 0)
        request.headers['content-md5'] = await digestOf(request.body)
      return next(args)
    },
    { step: 'build', name: 'sendBodyDigests' },
  )
}

/** Slice by slice, so that a part of 32 MiB does not hold up other requests. */
async function digestOf(body: Uint8Array): Promise<string> {
  const digest = createHash('md5')
  for (let at = 0; at < body.length; at += sliceBytes) {
    digest.update(body.subarray(at, at + sliceBytes))
    await nextTurn()
  }
  return digest.digest('base64')
}
