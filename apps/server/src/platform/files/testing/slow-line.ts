import { connect, createServer, type Socket } from 'node:net'
import { onFileEnd } from '@pult/testkit'

/** Milliseconds between two chunks of 64 KiB at most. */
const pause = 30

/** Opens a line on which a server receives at most 2 MiB per second. Returns its address. */
export async function slowLine(url: string): Promise<string> {
  const ends = new Set<Socket>()
  const line = createServer((near) => {
    const far = connect(Number(new URL(url).port), 'localhost')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
    }
    far.pipe(near)
    near.on('data', (chunk) => {
      near.pause()
      far.write(chunk)
      setTimeout(() => near.resume(), pause)
    })
  })
  await new Promise<void>((listening) => line.listen(0, 'localhost', listening))
  onFileEnd(() => {
    for (const end of ends) end.destroy()
    line.close()
  })
  const address = line.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://localhost:${address.port}`
}
