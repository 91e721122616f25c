import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { writeLog } from './agent-log.ts'
import { reasonOf } from './state.ts'

/** Node has them since 22.19 and 24.5. */
const { getCACertificates, setDefaultCACertificates } = tls as Partial<typeof tls>

const file = process.env['NODE_EXTRA_CA_CERTS'] ?? ''

/** Returns an empty text if the file cannot be read for now. */
function read(): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The text that counts. Node reads the file only when the process starts. */
let used = file === '' ? '' : read()

/** The authorities that Node trusts without the file. */
let others: string[] | undefined

/**
 * Makes the present content of the file of NODE_EXTRA_CA_CERTS count for the next connections. Authorities are replaced,
 * and a restart of the agent would interrupt its programs.
 */
export function followAuthorities(): void {
  if (file === '') return
  const text = read()
  const found = text.match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g)
  // A file that is being replaced may be empty.
  if (text === used || found === null) return
  used = text
  try {
    others ??= authoritiesWithout(getCACertificates?.('extra') ?? [])
    // The authorities of OpenSSL are not in the list, and would be lost.
    if (setDefaultCACertificates === undefined || others.length === 0)
      return writeLog(`Restart the agent: ${file} has changed`)
    setDefaultCACertificates([...others, ...found])
    writeLog(`${file} has changed, and its new content is used`)
  } catch (error) {
    writeLog(`${file} has changed, and its new content cannot be used: ${reasonOf(error)}`)
  }
}

function authoritiesWithout(extra: readonly string[]): string[] {
  const given = new Set(extra)
  return getCACertificates?.('default').filter((certificate) => !given.has(certificate)) ?? []
}
