import { isIPv4 } from 'node:net'

/** The sender of mails: one address with a name, which may be empty. */
export interface Mailbox {
  name: string
  address: string
}

/** `address`, `Name <address>` or `"Name" <address>` */
const parts = /^(?:(?<name>"(?:[^"\\]|\\.)*"\s*|[^"<>]*)<(?<inBrackets>[^<>]*)>|(?<bare>\S+))$/u

const addressForm =
  /^[^\s@,;:<>()[\]"\\]+@(?:[^\s@,;:<>()[\]"\\.]+(?:\.[^\s@,;:<>()[\]"\\.]+)*|\[[\w.:]+\])$/u

/** RFC 5322 3.2.3: a name with one of these is a quoted string; a colon would begin a group. */
const specials = /[()[\]:;@\\,"]/

const example = 'for example Pult <pult@example.org>'

/** Reads the one mailbox that a text names. Returns why the text is no sender. */
export function mailboxOf(text: string): Mailbox | string {
  const given = text.trim()
  if (/\p{Cc}/u.test(given)) return `must not contain a line break or another control character, ${example}`
  if (!given.includes('@')) return `must contain an e-mail address, ${example}`
  const { name = '', inBrackets, bare = '' } = parts.exec(given)?.groups ?? {}
  const address = inBrackets ?? bare
  const phrase = name.trim()
  const isQuoted = phrase.startsWith('"')
  if (addressForm.test(address) && !isQuoted && specials.test(phrase) && !phrase.includes('@')) {
    return `must have double quotes around the name, because it contains one of ( ) [ ] : ; \\ , for example "Pult: Hamburg" <${address}>`
  }
  if (!addressForm.test(address) || (!isQuoted && specials.test(phrase)))
    return `must be exactly one address, with or without a name, ${example}`
  return { name: isQuoted ? phrase.slice(1, -1).replace(/\\(.)/gu, '$1') : phrase, address }
}

/** Writes the host of a URL as the domain of an address. RFC 5321 4.1.3: an IP address becomes a literal. */
export function mailDomain(host: string): string {
  if (isIPv4(host)) return `[${host}]`
  return host.startsWith('[') ? `[IPv6:${host.slice(1)}` : host
}
