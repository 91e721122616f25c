/** Puts a text on the clipboard; answers whether that worked. Needs a press of the person. */
export async function copyText(text: string): Promise<boolean> {
  // Only there with https or on localhost.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard === undefined) return copyByCommand(text)
  return clipboard.writeText(text).then(
    () => true,
    () => copyByCommand(text),
  )
}

/** What browsers offered before the clipboard's own interface, and still do where that one is missing. */
function copyByCommand(text: string): boolean {
  const put = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
  }
  document.addEventListener('copy', put)
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without https
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', put)
  return isCopied
}
