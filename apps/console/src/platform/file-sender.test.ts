import { apiBase, type Credentials, type StoredFile } from '@pult/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/*
 * Interruptions and clocks that a real server and browser cannot produce in a short test: hours without an answer,
 * transfers that stand still, a sleep, and servers of another release.
 */

const page = new EventTarget()
const listen = page.addEventListener.bind(page)
const stubPage = () => {
  vi.stubGlobal('addEventListener', listen)
  vi.stubGlobal('document', { documentElement: { lang: 'de' }, addEventListener: listen })
}
// Loads its components as outside a browser.
await import('@pult/ui')
stubPage()
const { ApiError } = await import('./api-error.ts')
const { connection } = await import('./realtime.ts')
const { createFileSender } = await import('./file-sender.ts')
const { storedUploads, findUnfinished, forgetUploads, interruptedUploads, showInterrupted } = await import(
  './unfinished-uploads.ts'
)
const { session } = await import('./session.ts')

type Fault =
  /** The connection breaks after some bytes of the body. */
  | { kind: 'cut'; bytes: number }
  /** A proxy answers. */
  | { kind: 'proxy'; status: number }
  /** The bytes stop, without an error. */
  | { kind: 'silence' }
  /** The address has expired. */
  | { kind: 'expired' }
  /** Another transfer holds the upload. */
  | { kind: 'held' }
  /** Answers of the server itself. */
  | { kind: 'refusal'; status: number; code: string }

/** Simulates the upload calls of a server, or of one with a file store that takes parts. */
function createServer({ partBytes = null as number | null, hasResume = true } = {}) {
  const state = {
    bytes: new Uint8Array(),
    /** Bytes that each position was sent. */
    sent: new Uint8Array(),
    parts: new Map<number, number>(),
    tickets: 0,
    addresses: 0,
    isStored: false,
    calls: [] as string[],
    /** Faults of the next transfers. */
    faults: [] as Fault[],
    isDown: false,
    size: 0,
    holds: 0,
    /** Transfers that began while another one held the upload. */
    intrusions: 0,
    /** Milliseconds that a transfer takes. */
    duration: 0,
  }
  const json = (status: number, body: unknown) => ({ status, body, headers: {} as Record<string, string> })
  const error = (status: number, code: string) => json(status, { code, message: code })
  const filename = () => `upload-${state.tickets}`
  const url = () => `${apiBase}/uploads/${state.tickets}-${state.addresses}`
  const ticket = () => ({
    url: url(),
    filename: filename(),
    headers: { 'content-type': 'video/mp4' },
    expiresAt: new Date().toISOString(),
    isResumable: partBytes === null,
    ...(hasResume && { partBytes }),
  })
  const stored = (): StoredFile => ({
    _id: '0198f0c0-0000-7000-8000-000000000001',
    filename: filename(),
    name: 'hall.mp4',
    contentType: 'video/mp4',
    size: state.size,
    createdAt: new Date().toISOString(),
    expiresAt: null,
  })
  const missing = () =>
    Array.from({ length: Math.ceil(state.size / (partBytes ?? 1)) }, (_, index) => ({
      url: `${url()}?part=${index}`,
      first: index * (partBytes ?? 0),
      end: Math.min((index + 1) * (partBytes ?? 0), state.size),
    })).filter(({ first }) => !state.parts.has(first))
  const received = () =>
    partBytes === null ? state.bytes.length : [...state.parts.values()].reduce((sum, one) => sum + one, 0)

  function answer(method: string, path: string, body: string): ReturnType<typeof json> {
    state.calls.push(`${method} ${path.replace(/[\d-]+$/, '')}`)
    if (path === `${apiBase}/files`) {
      state.tickets += 1
      state.addresses += 1
      const { size } = JSON.parse(body) as { size: number }
      Object.assign(state, { size, bytes: new Uint8Array(), parts: new Map(), isStored: false })
      if (state.sent.length === 0) state.sent = new Uint8Array(size)
      return json(200, ticket())
    }
    if (method === 'HEAD') {
      if (path !== url() || state.isStored) return error(410, 'TICKET_NOT_VALID')
      const held = state.holds > 0 ? { 'retry-after': '2' } : {}
      state.holds = Math.max(0, state.holds - 1)
      return { ...json(200, null), headers: { 'upload-offset': String(state.bytes.length), ...held } }
    }
    if (!path.includes(`/${filename()}/`)) return error(404, 'NOT_FOUND')
    if (path.endsWith('/complete')) {
      if (state.isStored) return json(200, stored())
      if (partBytes === null || received() < state.size) return error(409, 'UPLOAD_INCOMPLETE')
      state.isStored = true
      return json(200, stored())
    }
    if (!hasResume) return error(404, 'NOT_FOUND')
    if (state.isStored) return error(410, 'TICKET_NOT_VALID')
    state.addresses += 1
    return json(200, {
      ...ticket(),
      received: received(),
      parts: partBytes === null ? [] : missing().slice(0, 16),
    })
  }

  const fetched = async (address: URL | string, init: RequestInit = {}) => {
    if (state.isDown) throw new TypeError('Failed to fetch')
    const { status, body, headers } = answer(
      init.method ?? 'GET',
      String(address),
      (init.body as string | null) ?? '',
    )
    return new Response(init.method === 'HEAD' ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })
  }

  class Put extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    #address = ''
    #range = ''
    #isAborted = false
    open = (_method: string, address: string) => void (this.#address = address)
    setRequestHeader = (name: string, value: string) => {
      if (name === 'content-range') this.#range = value
    }
    getAllResponseHeaders = () => ''
    abort = () => {
      this.#isAborted = true
      this.dispatchEvent(new Event('abort'))
    }
    send = (body: Blob) => void this.#run(body)

    async #run(body: Blob): Promise<void> {
      const bytes = new Uint8Array(await body.arrayBuffer())
      if (state.holds > 0) state.intrusions += 1
      if (state.duration > 0) await new Promise((end) => setTimeout(end, state.duration))
      if (this.#isAborted) return
      const fault = state.isDown ? ({ kind: 'cut', bytes: 0 } as const) : state.faults.shift()
      const part = /part=(\d+)/.exec(this.#address)?.[1]
      const first = part === undefined ? state.bytes.length : Number(part) * (partBytes ?? 0)
      const claimed = /^bytes (\d+)-/.exec(this.#range)?.[1] ?? '0'
      if (part === undefined && Number(claimed) !== state.bytes.length && fault === undefined)
        return this.#end(409, { code: 'UPLOAD_INCOMPLETE', message: '' })
      const arrived = fault === undefined ? bytes.length : fault.kind === 'cut' ? fault.bytes : 0
      for (let at = first; at < first + Math.min(arrived, bytes.length); at += 1)
        state.sent[at] = (state.sent[at] ?? 0) + 1
      if (part === undefined) {
        const all = new Uint8Array(first + Math.min(arrived, bytes.length))
        all.set(state.bytes)
        all.set(bytes.subarray(0, arrived), first)
        state.bytes = all
      }
      if (fault?.kind === 'silence') return
      const loaded = Math.min(arrived, bytes.length)
      this.upload.dispatchEvent(
        Object.assign(new Event('progress'), { loaded, total: bytes.length, lengthComputable: true }),
      )
      if (fault?.kind === 'cut') return void this.dispatchEvent(new Event('error'))
      if (fault?.kind === 'proxy') return this.#end(fault.status, undefined)
      if (fault?.kind === 'expired') {
        state.addresses += 1
        return this.#end(410, { code: 'TICKET_NOT_VALID', message: '' })
      }
      if (fault?.kind === 'held') {
        state.holds = 2
        return void this.dispatchEvent(new Event('error'))
      }
      if (fault?.kind === 'refusal') return this.#end(fault.status, { code: fault.code, message: fault.code })
      if (part !== undefined) {
        state.parts.set(first, bytes.length)
        return this.#end(200, undefined)
      }
      state.isStored = state.bytes.length === state.size
      this.#end(200, stored())
    }

    #end(status: number, body: unknown): void {
      this.status = status
      this.responseText = body === undefined ? '' : JSON.stringify(body)
      this.dispatchEvent(new Event('load'))
    }
  }
  return { state, fetched, Put }
}

const content = Uint8Array.from({ length: 2_000_000 }, (_, index) => (index * 7919) % 251)
const fileOf = (bytes: Uint8Array<ArrayBuffer> = content, size = bytes.length) =>
  new File([bytes.subarray(0, size)], 'hall.mp4', { type: 'video/mp4', lastModified: 1 })

function given(options: Parameters<typeof createServer>[0] = {}) {
  const server = createServer(options)
  vi.stubGlobal('fetch', server.fetched)
  vi.stubGlobal('XMLHttpRequest', server.Put)
  return server
}

/** Returns whether each byte has been sent exactly once. */
const isSentOnce = ({ sent }: { sent: Uint8Array }) => sent.every((times) => times === 1)

/** Reads of files and digests, which take real time, so that the clock must wait for them. */
const reads = new Set<Promise<unknown>>()
function counted<Arguments extends unknown[], Result>(read: (...of: Arguments) => Promise<Result>) {
  return function count(this: unknown, ...of: Arguments): Promise<Result> {
    const promise = Reflect.apply(read, this, of)
    reads.add(promise)
    const end = () => void reads.delete(promise)
    promise.then(end, end)
    return promise
  }
}
const [readBlob, digest] = [Blob.prototype.arrayBuffer, crypto.subtle.digest]

async function readsEnd(): Promise<void> {
  do {
    await Promise.allSettled(reads)
    // Lets the readers run on, which may start the next read.
    await new Promise(setImmediate)
  } while (reads.size > 0)
}

/** Runs the clock. */
async function pass(milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds
  await readsEnd()
  while (Date.now() < end) {
    await vi.advanceTimersByTimeAsync(Math.min(1000, end - Date.now()))
    await readsEnd()
  }
}

/** Runs the clock until the promise has settled. */
async function settled<Result>(promise: Promise<Result>): Promise<Result> {
  const state = { isSettled: false }
  const end = () => void (state.isSettled = true)
  promise.then(end, end)
  while (!state.isSettled) await pass(1000)
  return promise
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  stubPage()
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(counted(readBlob))
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(counted(digest))
  connection.set('ready')
  session.set({ status: 'signed-in', credentials: { _id: 'ada' } as Credentials })
})
afterEach(() => {
  forgetUploads()
  connection.set('closed')
  session.set({ status: 'unknown' })
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('directus#26304 immich#20923 50 interruptions of every kind lose nothing, and no byte is sent twice', async () => {
  const { state } = given()
  const kinds: Fault[] = [
    { kind: 'cut', bytes: 30_011 },
    { kind: 'proxy', status: 502 },
    { kind: 'cut', bytes: 65_537 },
    { kind: 'expired' },
    { kind: 'proxy', status: 408 },
    { kind: 'held' },
    { kind: 'cut', bytes: 1 },
    { kind: 'silence' },
  ]
  state.faults = Array.from({ length: 50 }, (_, index) => kinds[(index * 5) % kinds.length]).filter(
    (fault) => fault !== undefined,
  )
  const shares: number[] = []
  const waits: boolean[] = []
  const sender = createFileSender(fileOf(), { project: null })
  const file = await settled(
    sender.send({ onProgress: (share) => shares.push(share), onWaiting: (is) => waits.push(is) }),
  )
  expect(file.size).toBe(content.length)
  expect(Buffer.compare(state.bytes, content)).toBe(0)
  expect([isSentOnce(state), state.tickets, state.intrusions]).toEqual([true, 1, 0])
  expect(shares.at(-1)).toBe(1)
  expect(waits.filter(Boolean).length).toBeGreaterThanOrEqual(50)
  expect(waits.at(-1)).toBe(false)
})

test('breeze#2951 an upload in parts repeats a failed part alone, and completes after the last one', async () => {
  const { state } = given({ partBytes: 300_000 })
  state.faults = [
    { kind: 'cut', bytes: 300_000 },
    { kind: 'proxy', status: 504 },
    { kind: 'cut', bytes: 120_000 },
    { kind: 'silence' },
  ]
  const shares: number[] = []
  const sender = createFileSender(fileOf(), { project: null })
  await settled(sender.send({ onProgress: (share) => shares.push(share) }))
  expect([state.isStored, state.tickets, state.parts.size]).toEqual([true, 1, 7])
  expect(state.sent.reduce((sum, times) => sum + times, 0) - content.length).toBe(420_000)
  expect(shares.at(-1)).toBe(1)
})

test('breeze#2951 a slow upload in parts asks for new addresses before the earlier ones expire', async () => {
  const { state } = given({ partBytes: 300_000 })
  state.duration = 55_000
  await settled(createFileSender(fileOf(), { project: null }).send({}))
  expect([state.isStored, isSentOnce(state)]).toEqual([true, true])
  expect(state.calls.filter((call) => call.endsWith('/resume'))).toHaveLength(3)
})

test('RULE-67 an upload to a server of the previous release starts again when its address has expired', async () => {
  const { state } = given({ hasResume: false })
  state.faults = [{ kind: 'cut', bytes: 5000 }, { kind: 'expired' }]
  await settled(createFileSender(fileOf(), { project: null }).send({}))
  expect([state.isStored, state.tickets]).toEqual([true, 2])
})

test('strapi#24828 an upload waits for hours while the server cannot be reached, and continues as soon as it can', async () => {
  const { state } = given()
  state.faults = [{ kind: 'cut', bytes: 1_000_000 }]
  const waits: boolean[] = []
  const sending = createFileSender(fileOf(), { project: null }).send({ onWaiting: (is) => waits.push(is) })
  await pass(500)
  state.isDown = true
  await pass(5 * 3_600_000)
  expect(waits.at(-1)).toBe(true)
  state.isDown = false
  page.dispatchEvent(new Event('online'))
  await pass(1)
  await sending
  expect([isSentOnce(state), state.tickets]).toEqual([true, 1])
})

test('strapi#24828 the call that uses a stored file is repeated as long as the server cannot be reached, and no refusal is', async () => {
  given()
  const { deliver } = createFileSender(fileOf(), { project: null })
  const errorOf = (code: string) => new ApiError({ code, status: 0, message: code })
  const failures = ['NETWORK', 'NOT_READY', 'NETWORK', 'NOT_MEDIA'].map(errorOf)
  const waits: boolean[] = []
  const giveUp = new AbortController()
  const how = { signal: giveUp.signal, onWaiting: (is: boolean) => waits.push(is) }
  const call = async () => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
  }
  await expect(settled(deliver(call, how))).rejects.toMatchObject({ code: 'NOT_MEDIA' })
  expect(waits).toEqual([true, false, true, false, true, false])
  await settled(deliver(call, how))

  // The file has expired: csghub-dataflow#49.
  for (const code of ['UPLOAD_INCOMPLETE', 'TICKET_NOT_VALID', 'STORE_REFUSED'])
    await expect(deliver(() => Promise.reject(errorOf(code)), how)).rejects.toMatchObject({ code })

  const waiting = deliver(() => Promise.reject(errorOf('NETWORK')), how)
  await pass(1)
  giveUp.abort(new Error('aborted'))
  await expect(waiting).rejects.toThrow('aborted')
})

test('an upload whose transfers keep failing without progress ends with the reason, and a retry continues it', async () => {
  const { state } = given()
  state.faults = [
    { kind: 'cut', bytes: 1_000_000 },
    ...Array.from({ length: 8 }, () => ({ kind: 'proxy', status: 502 }) as const),
  ]
  const sender = createFileSender(fileOf(), { project: null })
  await expect(settled(sender.send({}))).rejects.toMatchObject({ code: 'NETWORK' })
  await settled(sender.send({}))
  expect([state.isStored, isSentOnce(state), state.tickets]).toEqual([true, true, 1])
})

test.each([
  ['CONTENT_MISMATCH', 415],
  ['FILE_TOO_LARGE', 413],
] as const)('wavelog#3718 %s ends an upload immediately and is not remembered', async (code, status) => {
  const { state } = given()
  state.faults = [{ kind: 'refusal', status, code }]
  await expect(createFileSender(fileOf(), { project: null }).send({})).rejects.toMatchObject({ code })
  expect(state.calls).toEqual(['POST /api/files'])
  expect(interruptedUploads.get()).toEqual([])
})

test('strapi#24828 a transfer that stands still is resumed as soon as the connection is back', async () => {
  const { state } = given()
  state.faults = [{ kind: 'cut', bytes: 1_000_000 }, { kind: 'silence' }]
  const begunAt = Date.now()
  const sending = createFileSender(fileOf(), { project: null }).send({})
  await pass(15_000)
  expect(state.isStored).toBe(false)
  connection.set('offline')
  connection.set('ready')
  await settled(sending)
  expect(state.isStored).toBe(true)
  expect(Date.now() - begunAt).toBeLessThan(30_000)
})

test('a file that changes on the disk during its upload ends it with the reason', async () => {
  const { state } = given()
  state.faults = [{ kind: 'cut', bytes: 1_000_000 }]
  const file = fileOf()
  const sending = createFileSender(file, { project: null }).send({})
  const slice = file.slice.bind(file)
  vi.spyOn(file, 'slice').mockImplementation((first, end) => {
    const part = slice(first, end)
    if (end === 1) part.arrayBuffer = async () => Promise.reject(new DOMException('', 'NotReadableError'))
    return part
  })
  await expect(settled(sending)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
})

test('tus/tus-js-client#641 a file that has vanished is not called empty, although browsers give it the size 0', async () => {
  const { state } = given()
  const gone = new File([], 'three.mp3')
  gone.arrayBuffer = async () => Promise.reject(new DOMException('', 'NotFoundError'))
  const sending = createFileSender(gone, { project: null }).send({})
  await expect(sending).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
  expect(state.calls).toEqual([])
})

async function interrupted() {
  const server = given()
  server.state.faults = [{ kind: 'cut', bytes: 1_200_000 }, { kind: 'silence' }]
  const controller = new AbortController()
  const where = { project: 'p', place: 'media' }
  const sending = createFileSender(fileOf(), where).send({ signal: controller.signal })
  await pass(10_000)
  // Another tab must not offer a running upload.
  expect(interruptedUploads.get()).toEqual([])
  controller.abort(new Error('left'))
  await expect(sending).rejects.toThrow('left')
  await pass(1)
  expect(interruptedUploads.get()).toMatchObject([{ name: 'hall.mp4', percent: 60, ...where }])
  return server
}

test('immich#6143 after a reload the same file continues with the bytes that have arrived', async () => {
  const { state } = await interrupted()
  const shares: number[] = []
  await settled(createFileSender(fileOf(), { project: 'p' }).send({ onProgress: (one) => shares.push(one) }))
  expect([isSentOnce(state), state.tickets, shares[0]]).toEqual([true, 1, 0.6])
  expect(interruptedUploads.get()).toEqual([])
})

test('immich#6143 a file that differs only in the middle does not continue an interrupted upload', async () => {
  const { state } = await interrupted()
  const other = content.slice()
  other[1_000_000] = 99
  await settled(createFileSender(fileOf(other), { project: 'p' }).send({}))
  expect([state.tickets, Buffer.compare(state.bytes, other)]).toEqual([2, 0])
})

test('an upload that ends while its file is still read leaves no record, and one that fails leaves an interrupted one', async () => {
  const { state } = given()
  const reading = Promise.withResolvers<void>()
  const file = fileOf()
  const slice = file.slice.bind(file)
  vi.spyOn(file, 'slice').mockImplementation((first, end) => {
    const part = slice(first, end)
    const read = part.arrayBuffer.bind(part)
    // The transfer reads to the end of the file, the digest beyond.
    if ((end ?? 0) > file.size)
      part.arrayBuffer = async () => {
        await reading.promise
        return read()
      }
    return part
  })
  state.faults = [{ kind: 'cut', bytes: 1_200_000 }, { kind: 'silence' }]
  const controller = new AbortController()
  const left = createFileSender(file, { project: null }).send({ signal: controller.signal })
  await pass(5000)
  controller.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(interruptedUploads.get()).toEqual([])
  await settled(createFileSender(file, { project: null }).send({}))
  reading.resolve()
  await pass(1)
  expect(interruptedUploads.get()).toMatchObject([{ name: 'hall.mp4', percent: 60 }])
})

test('records of uploads in another form are dropped, and a browser keeps at most 100', async () => {
  await interrupted()
  const [good] = JSON.parse(storedUploads.read() ?? '') as object[]
  const odd = [
    null,
    5,
    {},
    { ...good, name: { a: 1 } },
    { ...good, size: 'x' },
    { ...good, begunAt: '1e999' },
  ]
  storedUploads.write(JSON.stringify([...odd, good]))
  showInterrupted()
  expect(interruptedUploads.get()).toMatchObject([{ name: 'hall.mp4', percent: 60 }])
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...good, filename: `upload-${index}` }))
  storedUploads.write(JSON.stringify(many))
  showInterrupted()
  expect(interruptedUploads.get()).toHaveLength(100)
  for (const broken of ['{}', 'null', '[', '"x"']) {
    storedUploads.write(broken)
    showInterrupted()
    expect(interruptedUploads.get()).toEqual([])
  }
})

test('immich#6143 another file of the same name and size does not continue an interrupted upload', async () => {
  const { state } = await interrupted()
  const other = content.slice()
  other[5] = 99
  await settled(createFileSender(fileOf(other), { project: 'p' }).send({}))
  expect([state.tickets, Buffer.compare(state.bytes, other)]).toEqual([2, 0])
  expect(interruptedUploads.get()).toHaveLength(1)
  await pass(86_400_000)
  expect(findUnfinished(fileOf(), 'p')).toEqual([])
})
