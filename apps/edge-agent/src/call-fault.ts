import { hostOf, placeOf } from './server-address.ts'
import { reasonOf } from './state.ts'

/** Returns why a call to the server failed, in words. Node hides the reason in the causes of its error. */
export function callFault(error: unknown, server: string): string {
  // A host with several addresses has one error for each.
  const faults = new Set(rootsOf(error).map((root) => faultOf(root, server)))
  return [...faults].join(', and ')
}

/** Returns the errors without a further cause. */
function rootsOf(error: unknown, depth = 0): unknown[] {
  if (depth < 5 && error instanceof AggregateError && error.errors.length > 0)
    return error.errors.flatMap((each: unknown) => rootsOf(each, depth + 1))
  if (depth < 5 && error instanceof Error && error.cause !== undefined) return rootsOf(error.cause, depth + 1)
  return [error]
}

/** The certificate may be that of an interceptor, such as the sign-in page of a hotel: users must not trust it. */
const allow = 'If the network asks for a sign-in or inspects connections, allow this server there'
const unknownAuthority = `its certificate is signed by an authority that this machine does not know, or the server does not send the whole chain. ${allow}. Only if the authority is yours, set NODE_EXTRA_CA_CERTS to a PEM file with its certificate`

/** The clock decides about certificates, and is often wrong on a machine without a battery. */
const clock = () => `the clock of this machine shows ${new Date().toISOString().slice(0, 16)}Z`

const notHttp = ({ server }: Call) =>
  server.startsWith('http:')
    ? 'it does not answer in HTTP. If it uses HTTPS at this port, write https://'
    : 'it does not answer in HTTP'
const closed = ({ server, place }: Call) =>
  `the connection to ${place} was closed before the answer${server.startsWith('http:') ? '. If the server uses HTTPS at this port, write https://' : ''}`
const late = ({ place }: Call) =>
  `${place} did not answer in time: it is overloaded or off, or a firewall drops the packets`
const unreachable = ({ host }: Call) => `no route leads from this machine to ${host}. Check its network`
const notHttps = ({ place }: Call) =>
  `${place} does not speak HTTPS. Write http://, or the port that serves HTTPS`

interface Call {
  server: string
  host: string
  place: string
  error: Error
}

const faults: Record<string, (call: Call) => string> = {
  ENOTFOUND: ({ host }) =>
    `the name ${host} is not known. Check its spelling and the name server of this machine`,
  EAI_AGAIN: ({ host }) => `the name server of this machine does not answer for ${host}`,
  ECONNREFUSED: ({ place }) => `nothing accepts connections at ${place}, or a firewall refuses them`,
  ETIMEDOUT: late,
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: late,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  ENETDOWN: unreachable,
  ECONNRESET: closed,
  ECONNABORTED: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  EACCES: ({ place }) => `this machine forbids connections to ${place}`,
  EPERM: ({ place }) => `this machine forbids connections to ${place}`,
  EMFILE: () => 'the agent has too many open files',
  CERT_HAS_EXPIRED: () => `its certificate has expired; ${clock()}`,
  CERT_NOT_YET_VALID: () => `its certificate is not valid yet; ${clock()}`,
  DEPTH_ZERO_SELF_SIGNED_CERT: () =>
    `its certificate is self-signed. ${allow}. Only if the certificate is yours, set NODE_EXTRA_CA_CERTS to a PEM file with this certificate`,
  SELF_SIGNED_CERT_IN_CHAIN: () => unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: () => unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => unknownAuthority,
  INVALID_PURPOSE: () => 'its certificate is not meant for servers',
  INVALID_CA: () => 'its certificate is signed by one that may sign no other',
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host, error }) => {
    const names = 'cert' in error && (error.cert as { subjectaltname?: string } | undefined)?.subjectaltname
    return `its certificate is not for ${host}${names ? ` but for ${names.slice(0, 200)}` : ''}`
  },
  EPROTO: notHttps,
  ERR_SSL_WRONG_VERSION_NUMBER: notHttps,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notHttps,
}

function faultOf(error: unknown, server: string): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  const call = { server, host: hostOf(server).host, place: placeOf(server), error }
  // The timeout of a call.
  if (error.name === 'TimeoutError') return late(call)
  const known = faults[code]
  if (known !== undefined) return `${known(call)} (${code})`
  if (error.message === 'bad port')
    return `Node does not call ${call.place}, a port that is reserved for other services. Choose another port`
  if (code.startsWith('HPE_')) return `${notHttp(call)} (${code})`
  const reason = reasonOf(error).split('\n')[0] ?? ''
  return code === '' || reason.includes(code) ? reason : `${reason} (${code})`
}
