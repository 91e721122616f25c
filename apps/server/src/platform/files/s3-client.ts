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

const answerTimeout = 30_000

export const openS3Client = ({ requestTimeout = answerTimeout, ...access }: S3Access): S3Client =>
  // The store may take minutes to send a large body, so the socket timeout is longer than the request timeout.
  openClient(access, { requestTimeout, socketTimeout: transferTimeout })

/**
 * Opens a client for requests with a body. The SDK's timeout includes the time of sending, and a slow link needs
 * minutes for the parallel parts of a file. A link that transfers nothing for four timeouts counts as down.
 */
export const openS3Sender = ({ requestTimeout = answerTimeout, ...access }: S3Access): S3Client =>
  openClient(access, { requestTimeout: transferTimeout, socketTimeout: 4 * requestTimeout })

function openClient(
  access: Omit<S3Access, 'requestTimeout'>,
  timeouts: { requestTimeout: number; socketTimeout: number },
): S3Client {
  return new S3Client({
    region: access.region,
    forcePathStyle: access.pathStyle,
    credentials: { accessKeyId: access.accessKey, secretAccessKey: access.secretKey },
    ...(access.endpoint !== undefined && { endpoint: access.endpoint }),
    requestHandler: {
      connectionTimeout: Math.min(timeouts.requestTimeout, 5000),
      throwOnRequestTimeout: true,
      ...timeouts,
    },
    // Not every store supports the SDK's checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** Returns the HTTP status of a failed request; undefined if there was no answer. */
export const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
