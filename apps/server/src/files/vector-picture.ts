import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import type { FileBytes } from './file-bytes.ts'

/** Bytes that may precede the root element: licences and document types of drawing programs have a few kilobytes. */
const prologBytesMost = 8 * 1024 * 1024
const portionBytes = 64 * 1024

/** Violations of the XML rules before the root. A hostile file has one in each character, and each costs an exception. */
const faultsMost = 100

/**
 * Returns whether the root element of an XML document is `svg`, with any prefix. The parser reads up to the root only, as a
 * stream. It neither expands nor loads entities, and a document type is text to it. The encoding is that of the byte order
 * mark or of the declaration.
 */
export async function isVectorPicture({ size, read }: FileBytes): Promise<boolean> {
  let root: boolean | undefined
  const parser = new SaxesParser()
  let faults = 0
  // Real drawings have blanks before their declaration, and entities in the root: only the order of the parts matters.
  parser.on('error', (error) => {
    faults += 1
    if (faults > faultsMost) throw error
  })
  parser.on('doctype', (text) => {
    if (!/^\s*(?:[\w.-]+:)?svg(?![\w:.-])/.test(text)) root ??= false
  })
  parser.on('text', (text) => {
    if (text.trim() !== '') root ??= false
  })
  parser.on('opentagstart', ({ name }) => {
    root ??= /^(?:[^:]+:)?svg$/.test(name)
  })
  let decoder: TextDecoder | undefined
  for (let at = 0; at < Math.min(size, prologBytesMost); at += portionBytes) {
    const portion = await read(at, portionBytes)
    decoder ??= decoderOf(portion)
    try {
      parser.write(decoder.decode(portion, { stream: true }))
    } catch {
      return root === true
    }
    if (root !== undefined) return root
  }
  return false
}

/** https://www.w3.org/TR/xml/#sec-guessing */
function decoderOf(start: Buffer): TextDecoder {
  const [first, second] = start
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return new TextDecoder('utf-16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c))
    return new TextDecoder('utf-16be')
  const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    start.subarray(0, 400).toString('latin1'),
  )?.[1]
  try {
    return new TextDecoder(declared ?? 'utf-8')
  } catch {
    return new TextDecoder('utf-8')
  }
}
