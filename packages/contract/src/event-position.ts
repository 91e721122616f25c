/* Apart from the messages of the socket, because every call needs this and the login needs no socket. */

/** Header of the replies to reads: the place of the server's node in the events, `{node} {number}`. */
export const positionHeader = 'x-pult-events'

/** Returns whether a read at a position sees everything that happened before a subscription opened at another one. */
export function isReadSince(read: string | undefined, opened: string | undefined): boolean {
  const [readNode, readNumber] = read?.split(' ') ?? []
  const [openedNode, openedNumber] = opened?.split(' ') ?? []
  // The positions of two nodes, or of two starts of one, cannot be compared.
  return readNode !== undefined && readNode === openedNode && Number(readNumber) >= Number(openedNumber)
}
