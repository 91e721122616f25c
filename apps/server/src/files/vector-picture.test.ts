import { expect, test } from 'vitest'
import { isVectorPicture } from './vector-picture.ts'

/** Returns the decision about a document, and the number of reads. */
async function decided(text: string): Promise<[boolean, number]> {
  const bytes = Buffer.from(text)
  let reads = 0
  const read = async (start: number, length: number) => {
    reads += 1
    return bytes.subarray(start, start + length)
  }
  return [await isVectorPicture({ size: bytes.length, read }), reads]
}

test('RULE-68 a drawing with faults before its root is accepted, and a file of faults ends the check early', async () => {
  const root = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  expect(await decided(`\n<?xml version="1.0"?><!-- ${'\u0001'.repeat(50)} -->${root}`)).toEqual([true, 1])
  expect(await decided(`<!-- ${'\u0001'.repeat(1_000_000)} -->${root}`)).toEqual([false, 1])
})

test('RULE-68 a long comment or document type before the root of a drawing is read, up to 8 MiB', async () => {
  const root = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const entities = '<!ENTITY ns "&ns2;&ns2;&ns2;&ns2;">'.repeat(10_000)
  expect((await decided(`<!DOCTYPE svg [${entities}]>${root}`))[0]).toBe(true)
  expect((await decided(`<!--${'a'.repeat(9_000_000)}-->${root}`))[0]).toBe(false)
})
