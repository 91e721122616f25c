import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isSequence } from './picture-motion.ts'

const chunk = (type: string, content = Buffer.alloc(0)) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length)
  head.write(type, 4)
  return Buffer.concat([head, content, Buffer.alloc(4)])
}

test.each([
  [100, true],
  [600, false],
])(
  'the animation of a PNG is found behind %i other chunks: %s, so that millions of them cost nothing',
  async (count, isFound) => {
    const folder = await mkdtemp(join(tmpdir(), 'pult-motion-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'a.png')
    const others = Array.from({ length: count }, () => chunk('tEXt'))
    const control = chunk('acTL', Buffer.from([0, 0, 0, 3, 0, 0, 0, 0]))
    await writeFile(path, Buffer.concat([Buffer.alloc(8), ...others, control, chunk('IDAT')]))
    expect(await isSequence(path, 'png')).toBe(isFound)
  },
)
