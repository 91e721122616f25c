import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { onFileEnd } from './on-file-end.ts'

/**
 * Opens a proxy to a server until the end of the file, for tests of slow and broken networks.
 *
 * @param pause milliseconds after each chunk of at most 64 KiB to the server
 */
export async function lineTo(target: NetConnectOpts, { pause }: { pause?: number } = {}) {
  const ends = new Set<Socket>()
  let isStalled = false
  const line = createServer((near) => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.on('data', (chunk) => {
        to.write(chunk)
        if (pause === undefined || from === far) return
        from.pause()
        setTimeout(() => from.resume(), pause)
      })
      from.on('error', () => {})
      from.on('close', () => {
        ends.delete(from)
        to.destroy()
      })
      if (isStalled) from.pause()
    }
  })
  await new Promise<void>((listening) => line.listen(0, '127.0.0.1', listening))
  const address = line.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = () => {
    for (const end of ends) end.destroy()
    line.close()
  }
  onFileEnd(close)
  const hold = () => {
    for (const end of ends) end.pause()
  }
  return {
    port: address.port,
    /** Holds all data, including that of new connections, until the returned function is called. */
    stall(): () => void {
      isStalled = true
      hold()
      return () => {
        isStalled = false
        for (const end of ends) end.resume()
      }
    },
    /** Stops the transfer on open connections without closing them. New connections work. */
    silence: hold,
    /** Closes all connections. */
    close,
  }
}
