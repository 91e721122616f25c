/** Returns the links and addresses that a mail program finds in a text. */
export function linksIn(text: string): string[] {
  const found = text.match(
    /[a-z][a-z0-9+.-]*:[^\s"“<]+|[^\s"„(<]+@[^\s"“)>]+|[\p{L}\d-]+(?:[.。．｡]\p{L}+)+/giu,
  )
  return (found ?? []).map((link) => link.replace(/[.,]$/, ''))
}

/** Returns the text that a mail program shows for an HTML mail. */
export const shownIn = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
