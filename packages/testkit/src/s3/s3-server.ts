import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { signatureFault } from './signature.ts'

interface StoredObject {
  body: Buffer
  type: string
  etag: string
  changedAt: Date
}

/** A request. `at` is the path of the object without the bucket. */
interface Call {
  request: IncomingMessage
  response: ServerResponse
  at: string
  query: URLSearchParams
  body: Buffer
}

/**
 * Starts an in-memory S3 store with the operations that files need: objects, ranges, copies, lists and multipart
 * uploads. Verifies the signature of every request.
 */
export async function startS3Server() {
  const key = {
    accessKey: randomBytes(8).toString('hex'),
    secretKey: randomBytes(20).toString('hex'),
    region: 'eu-test-1',
  }
  const bucket = 'pult'
  const objects = new Map<string, StoredObject>()
  const unfinished = new Map<
    string,
    { at: string; type: string; parts: Map<number, Buffer>; begunAt: Date }
  >()
  const refusals: string[] = []
  let spaceLeft = Number.POSITIVE_INFINITY
  let beforeCopy: () => Promise<void> = async () => {}
  let partsToRefuse = 0
  let forbidden: readonly string[] = []

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*')
    if (request.method === 'OPTIONS') {
      response.writeHead(200, {
        'access-control-allow-methods': 'GET, PUT',
        'access-control-allow-headers': 'content-type',
      })
      response.end()
      return
    }
    const body = await buffer(request)
    const fault = signatureFault(request, body, key)
    if (fault !== undefined) {
      refusals.push(fault)
      return refuse(response, 403, fault)
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3')
    const [, inBucket, ...rest] = pathname.split('/')
    if (inBucket !== bucket) return refuse(response, 404, 'NoSuchBucket')
    if (request.headers['x-amz-copy-source'] !== undefined) await beforeCopy()
    const call = { request, response, at: decodeURIComponent(rest.join('/')), query: searchParams, body }
    if (isForbidden(call)) return refuse(response, 403, 'AccessDenied')
    if (call.at === '') return list(call)
    const handlers: Record<string, (call: Call) => void> = {
      GET: read,
      HEAD: read,
      PUT: put,
      POST: post,
      DELETE: remove,
    }
    handlers[request.method ?? '']?.(call)
  }

  function isForbidden({ request, at }: Call): boolean {
    const actions: Record<string, string> = { PUT: 'PutObject', POST: 'PutObject', DELETE: 'DeleteObject' }
    const action = at === '' ? 'ListBucket' : (actions[request.method ?? ''] ?? 'GetObject')
    return forbidden.some((entry) => `${action} ${at}`.startsWith(entry))
  }

  function store(at: string, body: Buffer, type: string): string {
    const etag = `"${createHash('md5').update(body).digest('hex')}"`
    objects.set(at, { body, type, etag, changedAt: new Date() })
    return etag
  }

  function read({ request, response, at, query }: Call): void {
    const found = objects.get(at)
    if (found === undefined) return refuse(response, 404, 'NoSuchKey')
    if ((request.headers['if-match'] ?? found.etag) !== found.etag)
      return refuse(response, 412, 'PreconditionFailed')
    const disposition = query.get('response-content-disposition')
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const size = found.body.length
    const start = Number(first ?? 0)
    const end = last === undefined || last === '' ? size - 1 : Math.min(Number(last), size - 1)
    response.writeHead(first === undefined ? 200 : 206, {
      etag: found.etag,
      'content-type': query.get('response-content-type') ?? found.type,
      'content-length': end - start + 1,
      'last-modified': found.changedAt.toUTCString(),
      ...(disposition !== null && { 'content-disposition': disposition }),
      ...(first !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
    })
    response.end(request.method === 'HEAD' ? undefined : found.body.subarray(start, end + 1))
  }

  function put({ request, response, at, query, body }: Call): void {
    const { headers } = request
    const source = headers['x-amz-copy-source']
    if (typeof source === 'string') return copy(response, at, decodeURIComponent(source), headers)
    spaceLeft -= body.length
    if (spaceLeft < 0) return refuse(response, 507, 'StorageFull')
    const uploadId = query.get('uploadId')
    if (uploadId !== null && partsToRefuse > 0) {
      partsToRefuse -= 1
      return refuse(response, 503, 'SlowDown')
    }
    if (uploadId === null) {
      response.writeHead(200, { etag: store(at, body, headers['content-type'] ?? '') }).end()
      return
    }
    const upload = unfinished.get(uploadId)
    if (upload === undefined) return refuse(response, 404, 'NoSuchUpload')
    upload.parts.set(Number(query.get('partNumber')), body)
    response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
  }

  function copy(
    response: ServerResponse,
    at: string,
    source: string,
    headers: IncomingMessage['headers'],
  ): void {
    const found = objects.get(source.replace(/^\//, '').slice(bucket.length + 1))
    if (found === undefined) return refuse(response, 404, 'NoSuchKey')
    if (headers['x-amz-copy-source-if-match'] !== found.etag)
      return refuse(response, 412, 'PreconditionFailed')
    const etag = store(at, found.body, found.type)
    xml(response, `<CopyObjectResult><ETag>${etag}</ETag></CopyObjectResult>`)
  }

  function post({ request, response, at, query }: Call): void {
    const uploadId = query.get('uploadId')
    if (uploadId === null) {
      const id = randomBytes(8).toString('hex')
      const type = request.headers['content-type'] ?? ''
      unfinished.set(id, { at, type, parts: new Map(), begunAt: new Date() })
      return xml(
        response,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    const upload = unfinished.get(uploadId)
    if (upload === undefined) return refuse(response, 404, 'NoSuchUpload')
    const parts = [...upload.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part)
    if (parts.slice(0, -1).some((part) => part.length < 5 * 1024 * 1024)) {
      return refuse(response, 400, 'EntityTooSmall')
    }
    unfinished.delete(uploadId)
    const etag = store(at, Buffer.concat(parts), upload.type)
    xml(response, `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`)
  }

  function remove({ response, at, query }: Call): void {
    const uploadId = query.get('uploadId')
    if (uploadId === null) objects.delete(at)
    else unfinished.delete(uploadId)
    response.writeHead(204).end()
  }

  function list({ response, query }: Call): void {
    const prefix = query.get('prefix') ?? ''
    if (query.has('uploads')) {
      const found = [...unfinished]
        .filter(([, { at }]) => at.startsWith(prefix))
        .map(
          ([id, { at, begunAt }]) =>
            `<Upload><Key>${at}</Key><UploadId>${id}</UploadId><Initiated>${begunAt.toISOString()}</Initiated></Upload>`,
        )
      return xml(response, `<ListMultipartUploadsResult>${found.join('')}</ListMultipartUploadsResult>`)
    }
    const found = [...objects]
      .filter(([at]) => at.startsWith(prefix))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([at, { changedAt, body }]) =>
          `<Contents><Key>${at}</Key><Size>${body.length}</Size><LastModified>${changedAt.toISOString()}</LastModified></Contents>`,
      )
    xml(response, `<ListBucketResult>${found.join('')}</ListBucketResult>`)
  }

  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    stop(): void {
      server.closeAllConnections()
      server.close()
    },
    url,
    objects,
    unfinished,
    /** Reasons of rejected requests, in order. */
    refusals,
    /** Limits the number of bytes accepted from now on. */
    limitSpace: (bytes: number) => void (spaceLeft = bytes),
    /** Rejects the next parts of uploads, like a store that receives too many requests. */
    refuseParts: (count: number) => void (partsToRefuse = count),
    /** Rejects these actions from now on, for example `PutObject`, or `PutObject uploads/` for a prefix. */
    forbid: (...actions: string[]) => void (forbidden = actions),
    /** Delays every copy from now on. */
    delayCopies: (wait: () => Promise<void>) => void (beforeCopy = wait),
    /** Settings of a server that stores its files in this store. */
    settings: {
      FILES_S3_ENDPOINT: url,
      FILES_S3_REGION: key.region,
      FILES_S3_BUCKET: bucket,
      FILES_S3_ACCESS_KEY: key.accessKey,
      FILES_S3_SECRET_KEY: key.secretKey,
    },
    /** The same as options of `createS3Files` and `createS3Store`. */
    access: { ...key, endpoint: url, bucket, pathStyle: true },
  }
}

function xml(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`)
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}
