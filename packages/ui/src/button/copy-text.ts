/** Copies a text to the clipboard and returns whether that succeeded. Call it in the handler of a user's press. */
export async function copyText(text: string): Promise<boolean> {
  // The clipboard API exists only over HTTPS and on localhost.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard === undefined) return copyByCommand(text)
  return clipboard.writeText(text).then(
    () => true,
    () => copyByCommand(text),
  )
}

/** Copies with `execCommand`, for pages without the clipboard API. */
function copyByCommand(text: string): boolean {
  const put = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
  }
  document.addEventListener('copy', put)
  // oxlint-disable-next-line typescript/no-deprecated -- the only way to copy without HTTPS
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', put)
  return isCopied
}
