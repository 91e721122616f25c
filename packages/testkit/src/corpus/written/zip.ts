import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  /** In UTF-8; bytes for a name in another encoding. */
  name: string | Buffer
  content: Buffer
  isStored?: boolean
}

interface ZipOptions {
  /** Writes sizes behind the content, as programs do that write to a stream. */
  isStreamed?: boolean
  /** Writes the sizes as ZIP64. */
  isLarge?: boolean
}

/** Writes a ZIP (APPNOTE 6.3.3) with the entries in this order. */
export function zip(entries: readonly ZipEntry[], { isStreamed = false, isLarge = false }: ZipOptions = {}) {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, isStored = false } of entries) {
    const named = typeof name === 'string' ? Buffer.from(name) : name
    const packed = isStored ? content : deflateRawSync(content)
    const sum = crc32(content)
    const flags = (isStreamed ? 8 : 0) | (typeof name === 'string' ? 0x800 : 0)
    const large = Buffer.alloc(20)
    large.writeUInt16LE(1, 0)
    large.writeUInt16LE(16, 2)
    large.writeBigUInt64LE(BigInt(content.length), 4)
    large.writeBigUInt64LE(BigInt(packed.length), 12)
    const extra = isLarge ? large : Buffer.alloc(0)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(isLarge ? 45 : 20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(isStored ? 0 : 8, 4)
    // 28 November 2026, 10:00.
    common.writeUInt16LE(0x5000, 6)
    common.writeUInt16LE(0x5d7c, 8)
    common.writeUInt16LE(named.length, 22)
    common.writeUInt16LE(extra.length, 24)
    const sizes = (target: Buffer) => {
      target.writeUInt32LE(sum, 10)
      target.writeUInt32LE(isLarge ? 0xffffffff : packed.length, 14)
      target.writeUInt32LE(isLarge ? 0xffffffff : content.length, 18)
    }
    const local = Buffer.from(common)
    if (!isStreamed) sizes(local)
    const descriptor = Buffer.alloc(isStreamed ? 16 : 0)
    if (isStreamed) {
      descriptor.write('PK\x07\x08', 'latin1')
      descriptor.writeUInt32LE(sum, 4)
      descriptor.writeUInt32LE(packed.length, 8)
      descriptor.writeUInt32LE(content.length, 12)
    }
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), local, named, extra, packed, descriptor])
    sizes(common)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, named, extra]))
    files.push(file)
    offset += file.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, list, end])
}
