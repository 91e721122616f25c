import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { mailboxOf } from '#platform/mail/mailbox.ts'

/*
 * The forms that values of settings can have. Each message completes "The setting NAME …".
 */

/** Accepts a text unless the function returns why it is not valid. */
export const text = (faultOf: (value: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = faultOf(value)
    if (message !== undefined) context.addIssue(message)
  })

const matching = (form: RegExp, message: string) => text((value) => (form.test(value) ? undefined : message))

/** A browser reads `https:/host` in a page as a path of the same server, so the slashes count. */
const faultOfUrl = (value: string, starts: readonly string[]): string | undefined =>
  URL.canParse(value) && starts.some((start) => value.toLowerCase().startsWith(start))
    ? undefined
    : `must be a URL that starts with ${starts.join(' or ')}`

const webStarts = ['http://', 'https://']

export const webPage = text((value) => faultOfUrl(value, webStarts))

/** A page or an e-mail address for questions. */
export const contact = text((value) => {
  if (!/^mailto:/i.test(value)) return faultOfUrl(value, [...webStarts, 'mailto:'])
  return /^mailto:[^\s@<>/?]+@[^\s<>/?]+(?:\?.*)?$/i.test(value)
    ? undefined
    : 'must have an e-mail address after mailto:'
})

const faultOfOrigin = (value: string): string | undefined => {
  const fault = faultOfUrl(value, webStarts)
  if (fault !== undefined) return fault
  const { pathname, search, hash, username } = new URL(value)
  return pathname === '/' && search === '' && hash === '' && username === ''
    ? undefined
    : 'must be an origin: scheme, host and port, without a path'
}

export const originForm = text(faultOfOrigin)

/** An origin that browsers can open. */
export const publicOriginForm = text((value) => {
  const fault = faultOfOrigin(value)
  if (fault !== undefined) return fault
  return ['0.0.0.0', '[::]'].includes(new URL(value).hostname)
    ? 'must be the address that users type, and not the address to listen on, which is HOST'
    : undefined
})

const encoding =
  'in which the characters % # / ? @ : of the user and the password are percent-encoded: %25 %23 %2F %3F %40 %3A'

/** Never quotes the value, because it can contain a password. */
const faultOfUrlWithPassword = (value: string, protocols: readonly string[]): string | undefined => {
  const starts = protocols.map((protocol) => `${protocol}//`)
  const form = `must be a URL that starts with ${starts.join(' or ')}`
  if (!starts.some((start) => value.toLowerCase().startsWith(start))) return form
  // A password with such a character ends the host early, so its rest is in another part of the URL.
  if (!URL.canParse(value)) return value.includes('@') ? `must be a URL ${encoding}` : form
  const { hostname, pathname, search, hash, username, password } = new URL(value)
  if (hash !== '' || pathname.includes('@') || search.includes('@')) return `must be a URL ${encoding}`
  if (hostname === '') return 'must name a host'
  try {
    decodeURIComponent(username + password)
  } catch {
    return `must be a URL ${encoding}`
  }
  return undefined
}

export const smtpUrl = text((value) => {
  const fault = faultOfUrlWithPassword(value, ['smtp:', 'smtps:'])
  if (fault !== undefined) return fault
  return ['', '/'].includes(new URL(value).pathname)
    ? undefined
    : 'must not have a path after the host and port'
})

export const collectorUrl = text((value) => faultOfUrlWithPassword(value, ['http:', 'https:']))

export const mailbox = z.string().transform((value, context) => {
  const found = mailboxOf(value)
  if (typeof found !== 'string') return found
  context.addIssue(found)
  return z.NEVER
})

export const emailAddress = matching(/^[^\s@,<>]+@[^\s@,<>]+$/, 'must be an e-mail address')

export const host = text((value) =>
  isIP(value) !== 0 || /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(value)
    ? undefined
    : 'must be an address or a name of this machine, without scheme and port, or :: for all addresses',
)

/** Stricter than ipaddr.js, which reads `10/8` as 0.0.0.10/8 and `010.0.0.0/8` as 8.0.0.0/8. */
export const addressOrRange = text((value) =>
  isIP(value.split('/', 1)[0] ?? '') !== 0 && (isIP(value) !== 0 || ipaddr.isValidCIDR(value))
    ? undefined
    : 'must be a list of addresses or ranges like 10.0.0.0/8, separated by commas',
)

export const list = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== '')
        : value,
    z.array(item),
  )

/** A folder. Only a shell expands ~ and $HOME, and settings do not come through one. */
export const folder = text((value) => {
  if (/^\$|^[a-z][a-z\d+.-]+:\/\//i.test(value))
    return 'must be the path of a folder, without a variable or scheme'
  return /^~|\p{Cc}/u.test(value)
    ? 'must be the path of a folder, without ~ and control characters'
    : undefined
})

export const backupPlaceForm = text((value) => {
  if (value.startsWith('s3://'))
    return /^s3:\/\/[^/\s?#@:]+(?:\/|$)/.test(value) ? undefined : 'must name a bucket after s3://'
  return /^[a-z][a-z\d+.-]+:|^[~$]|\p{Cc}/iu.test(value)
    ? 'must be the path of a folder, or s3:// with a bucket and a prefix'
    : undefined
})

export const bucket = matching(
  /^[\w.-]{3,63}$/,
  'must be the name of a bucket: 3 to 63 letters, digits, dots and hyphens, without s3:// and prefix',
)

export const region = matching(/^[\w-]+$/, 'must be the name of a region, without spaces')

const visible = /^[\x21\x23-\x26\x28-\x7e]+$/
const notVisible = 'must be a key of ASCII characters without spaces and quotation marks'

export const key = matching(visible, notVisible)

/** `key=value` pairs, separated by commas, with percent-encoded values, as OpenTelemetry writes them. */
export const pairs = z.string().transform((value, context) => {
  try {
    if (/^\s*[\w-]+=[\w.~!*'()%+/:;@$&= -]*(?:,\s*[\w-]+=[\w.~!*'()%+/:;@$&= -]*)*$/.test(value))
      return Object.fromEntries(
        value.split(',').map((pair) => {
          const [name = '', ...rest] = pair.split('=')
          return [name.trim().toLowerCase(), decodeURIComponent(rest.join('=').trim())] as const
        }),
      )
  } catch {
    // A percent sign that begins no code.
  }
  context.addIssue('must be a list of key=value, separated by commas, with percent-encoded values')
  return z.NEVER
})

/** A whole number in decimal digits. */
export const whole = (least: number, most: number, message: string) =>
  text((value) =>
    /^\d{1,16}$/.test(value) && Number(value) >= least && Number(value) <= most ? undefined : message,
  ).transform(Number)

export const bytes = (least: number, most: number) =>
  whole(least, most, `must be a number of bytes from ${least} to ${most}, without a unit`)

export const count = (least: number) => whole(least, 1e9, `must be a whole number of at least ${least}`)

export const share = text((value) =>
  /^(?:[01]|[01]?\.\d+|1\.0+)$/.test(value) && Number(value) <= 1 ? undefined : 'must be a share from 0 to 1',
).transform(Number)

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, {
    error: `must be ${values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`}`,
  })

export const secret = (length: number, source: string) =>
  z.string().min(length, { error: `must have at least ${length} characters, for example from \`${source}\`` })

/** A secret that is sent in a header. */
export const token = (length: number, source: string) =>
  secret(length, source).pipe(matching(visible, `${notVisible}, for example from \`${source}\``))
