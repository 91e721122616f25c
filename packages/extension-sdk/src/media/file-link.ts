/** A signed link to the content of a file. */
interface FileLink {
  fileId: string
  /** Expiry by the server's clock, in milliseconds since 1970. */
  until: number
}

const pattern = /\/files\/([0-9a-f-]{36})\/content\?(?:.*&)?until=(\d{9,11})(?:&|$)/

/** Returns the parts of a signed link; null for any other URL. */
export function fileLinkOf(url: string): FileLink | null {
  const [, fileId, until] = pattern.exec(url) ?? []
  return fileId === undefined ? null : { fileId, until: Number(until) * 1000 }
}

/** Returns the part of a link that a renewal does not change. */
export const addressOf = (url: string): string => (fileLinkOf(url) === null ? url : (url.split('?')[0] ?? ''))
