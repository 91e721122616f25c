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

/** How a store can fail a request: without an effect, or after it. */
type Disturbance = 'unavailable' | 'cut' | 'reply lost'

/** The permission that each operation needs. */
const permissions: Record<string, string> = {
  ListMultipartUploads: 'ListBucketMultipartUploads',
  ListObjects: 'ListBucket',
  ListParts: 'ListMultipartUploadParts',
  AbortMultipartUpload: 'AbortMultipartUpload',
  DeleteObject: 'DeleteObject',
  GetObject: 'GetObject',
  HeadObject: 'GetObject',
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
  let lacksParts = false
  let locksObjects = false
  let pageSize = 1000
  let disturb: (operation: string) => Disturbance | undefined | Promise<Disturbance | undefined> = () =>
    undefined

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
    const operation = operationOf(call)
    const isForbidden = forbidden.some((entry) =>
      `${permissions[operation] ?? 'PutObject'} ${call.at}`.startsWith(entry),
    )
    if (isForbidden) return refuse(response, 403, 'AccessDenied')
    if (lacksParts && /Multipart|Part/.test(operation)) return refuse(response, 501, 'NotImplemented')
    const disturbance = await disturb(operation)
    if (disturbance === 'unavailable') return refuse(response, 503, 'SlowDown')
    if (disturbance === 'cut') return void request.socket.destroy()
    if (disturbance === 'reply lost')
      Object.assign(response, {
        end() {
          request.socket.destroy()
          return response
        },
      })
    if (call.at === '') return list(call)
    const handlers: Record<string, (call: Call) => void> = {
      GET: call.query.has('uploadId') ? listParts : read,
      HEAD: read,
      PUT: put,
      POST: post,
      DELETE: remove,
    }
    handlers[request.method ?? '']?.(call)
  }

  function store(at: string, body: Buffer, type: string): string {
    const etag = etagOf(body)
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
    const digest = headers['content-md5']
    if (digest === undefined ? locksObjects : digest !== createHash('md5').update(body).digest('base64'))
      return refuse(response, 400, digest === undefined ? 'InvalidRequest' : 'BadDigest')
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
    response.writeHead(200, { etag: etagOf(body) }).end()
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

  function listParts({ response, query }: Call): void {
    const upload = unfinished.get(query.get('uploadId') ?? '')
    if (upload === undefined) return refuse(response, 404, 'NoSuchUpload')
    const after = Number(query.get('part-number-marker') ?? 0)
    const left = [...upload.parts].filter(([number]) => number > after).toSorted(([a], [b]) => a - b)
    const page = left.slice(0, Math.min(pageSize, Number(query.get('max-parts') ?? pageSize)))
    const entries = page.map(
      ([number, part]) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${etagOf(part)}</ETag><Size>${part.length}</Size></Part>`,
    )
    xml(
      response,
      `<ListPartsResult>${entries.join('')}<IsTruncated>${page.length < left.length}</IsTruncated><NextPartNumberMarker>${page.at(-1)?.[0] ?? 0}</NextPartNumberMarker></ListPartsResult>`,
    )
  }

  function post({ request, response, at, query, body }: Call): void {
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
    const named = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([entry]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(entry)?.[1]),
      etag: (/<ETag>(.*?)<\/ETag>/s.exec(entry)?.[1] ?? '').replaceAll('&quot;', '"'),
    }))
    if (named.some(({ number }, place) => number <= (named[place - 1]?.number ?? 0)))
      return refuse(response, 400, 'InvalidPartOrder')
    const parts: Buffer[] = []
    for (const { number, etag } of named) {
      const part = upload.parts.get(number)
      if (part === undefined || etagOf(part) !== etag) return refuse(response, 400, 'InvalidPart')
      parts.push(part)
    }
    if (parts.length === 0) return refuse(response, 400, 'MalformedXML')
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
      const after = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''].join(' ')
      const left = [...unfinished]
        .filter(([id, { at }]) => at.startsWith(prefix) && `${at} ${id}` > after)
        .toSorted(([a, one], [b, two]) => (`${one.at} ${a}` < `${two.at} ${b}` ? -1 : 1))
      const page = left.slice(0, pageSize)
      const [lastId, last] = page.at(-1) ?? []
      const found = page.map(
        ([id, { at, begunAt }]) =>
          `<Upload><Key>${at}</Key><UploadId>${id}</UploadId><Initiated>${begunAt.toISOString()}</Initiated></Upload>`,
      )
      const next = `<NextKeyMarker>${last?.at ?? ''}</NextKeyMarker><NextUploadIdMarker>${lastId ?? ''}</NextUploadIdMarker>`
      return xml(
        response,
        `<ListMultipartUploadsResult><IsTruncated>${page.length < left.length}</IsTruncated>${next}${found.join('')}</ListMultipartUploadsResult>`,
      )
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
    /** Refuses all requests of multipart uploads, like a store that does not know them. */
    lackParts: (isLacking: boolean) => void (lacksParts = isLacking),
    /** Refuses bodies without a digest, like a bucket that locks its objects for a time. */
    lockObjects: (isLocking: boolean) => void (locksObjects = isLocking),
    /** Lists at most this many entries in one page from now on. */
    limitPages: (entries: number) => void (pageSize = entries),
    /**
     * Decides how each request fails from now on: 503, a closed connection without an effect, or one after it.
     * Operations are those of S3, such as `UploadPart`.
     */
    disturb: (decide: typeof disturb) => void (disturb = decide),
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

const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`

function operationOf({ request, at, query }: Call): string {
  const { method, headers } = request
  const isPart = query.has('uploadId')
  if (at === '') return query.has('uploads') ? 'ListMultipartUploads' : 'ListObjects'
  if (method === 'GET') return isPart ? 'ListParts' : 'GetObject'
  if (method === 'HEAD') return 'HeadObject'
  if (method === 'POST') return isPart ? 'CompleteMultipartUpload' : 'CreateMultipartUpload'
  if (method === 'DELETE') return isPart ? 'AbortMultipartUpload' : 'DeleteObject'
  if (headers['x-amz-copy-source'] !== undefined) return 'CopyObject'
  return isPart ? 'UploadPart' : 'PutObject'
}

function xml(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`)
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}
