import { S3Client } from '@aws-sdk/client-s3'

/** Where the buckets are, and the key that opens them. */
export interface S3Access {
  /** Undefined for the endpoint of AWS. */
  endpoint: string | undefined
  region: string
  accessKey: string
  secretKey: string
  /** The bucket is the first segment of the path instead of a part of the host name. */
  pathStyle: boolean
  /** Timeout of a request in milliseconds. */
  requestTimeout?: number
}

/** Milliseconds. The store copies up to 5 GiB before it answers. */
export const transferTimeout = 600_000

export function openS3Client({ requestTimeout = 30_000, ...access }: S3Access): S3Client {
  return new S3Client({
    region: access.region,
    forcePathStyle: access.pathStyle,
    credentials: { accessKeyId: access.accessKey, secretAccessKey: access.secretKey },
    ...(access.endpoint !== undefined && { endpoint: access.endpoint }),
    requestHandler: {
      connectionTimeout: Math.min(requestTimeout, 5000),
      requestTimeout,
      throwOnRequestTimeout: true,
      // During the transfer of a body.
      socketTimeout: transferTimeout,
    },
    // Not every store supports the SDK's checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** The HTTP status of a failed request; undefined if there was no answer. */
export const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
