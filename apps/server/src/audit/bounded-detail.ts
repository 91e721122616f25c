/** Bytes of the detail of an entry. Entries stay for years, and a call can change a large record often. */
export const detailBytesMost = 8 * 1024

/** Bytes of a value that stays in a detail that is too large. */
const valueBytesMost = 200

/** Returns a detail as JSON. In one that is too large, the large values become their sizes in bytes. */
export function boundedDetail(detail: Record<string, unknown>): string {
  const json = JSON.stringify(detail)
  if (Buffer.byteLength(json) <= detailBytesMost) return json
  const shortened = JSON.stringify(
    Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, shortenedValue(value)])),
  )
  return Buffer.byteLength(shortened) <= detailBytesMost
    ? shortened
    : JSON.stringify({ bytes: Buffer.byteLength(json) })
}

function shortenedValue(value: unknown): unknown {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  return bytes <= valueBytesMost ? value : { bytes }
}
