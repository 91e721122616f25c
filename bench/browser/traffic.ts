import type { CDPSession } from 'playwright-core'

/** The network traffic of one page. Bytes are compressed body sizes without headers. */
export interface Traffic {
  requests: number
  bytes: number
  scriptAndStyleBytes: number
  /** Scripts and styles without brotli compression. */
  uncompressed: string[]
}

interface Response {
  url: string
  mimeType: string
  encoding: string
  /** Undefined for chunked responses without a length. */
  declared: number | undefined
  received: number
}

/** Starts counting. The returned function gives the traffic so far. */
export async function watchTraffic(cdp: CDPSession): Promise<() => Traffic> {
  const responses = new Map<string, Response>()
  const cached = new Set<string>()
  let requests = 0

  await cdp.send('Network.enable')
  cdp.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) requests += 1
  })
  cdp.on('Network.requestServedFromCache', ({ requestId }) => {
    cached.add(requestId)
    requests -= 1
  })
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    // A prefetched module that is now imported.
    if (response.fromDiskCache === true) {
      cached.add(requestId)
      requests -= 1
    }
    const headers = new Map(
      Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    responses.set(requestId, {
      url: response.url,
      mimeType: response.mimeType,
      encoding: headers.get('content-encoding') ?? '',
      declared: headers.has('content-length') ? Number(headers.get('content-length')) : undefined,
      received: 0,
    })
  })
  cdp.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const response = responses.get(requestId)
    if (response) response.received += encodedDataLength
  })

  return () => {
    const loaded = [...responses].filter(([id]) => !cached.has(id)).map(([, response]) => response)
    const code = loaded.filter(({ mimeType }) => /javascript|css/.test(mimeType))
    const sum = (some: Response[]) =>
      some.reduce((total, { declared, received }) => total + (declared ?? received), 0)
    return {
      requests,
      bytes: sum(loaded),
      scriptAndStyleBytes: sum(code),
      uncompressed: code.filter(({ encoding }) => encoding !== 'br').map(({ url }) => new URL(url).pathname),
    }
  }
}
