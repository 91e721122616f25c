/** Offers a text as a download, without the server. */
export function downloadText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Deferred, because some browsers start to read it a moment after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
