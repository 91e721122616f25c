import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#platform/secrets.ts'

interface Enrolment {
  projectId: string
  edgeId: string
  tokenHash: Buffer
}

const idLength = 36

const purpose = 'edge enrolment'

const signatureOf = (secrets: Pick<Secrets, 'mac'>, facts: string, tokenHash: Buffer) =>
  secrets.mac(purpose, `${facts}.${tokenHash.toString('hex')}`)

/**
 * Returns the text by which the installation recognises an edge of which its database has lost the enrolment. Only this
 * installation can create it, and it is worth nothing without the token.
 */
export function proofOf(secrets: Pick<Secrets, 'mac'>, { projectId, edgeId, tokenHash }: Enrolment): string {
  const facts = `${projectId}.${edgeId}`
  return `${facts}.${signatureOf(secrets, facts, tokenHash)}`
}

/** Returns what a proof states about the agent with this token; undefined unless this installation created it. */
export function readProof(
  secrets: Pick<Secrets, 'mac'>,
  proof: string,
  tokenHash: Buffer,
): Omit<Enrolment, 'tokenHash'> | undefined {
  const [projectId = '', edgeId = '', signature = ''] = proof.split('.')
  if ([projectId, edgeId].some((id) => id.length !== idLength)) return undefined
  const given = Buffer.from(signature)
  const right = Buffer.from(signatureOf(secrets, `${projectId}.${edgeId}`, tokenHash))
  return given.length === right.length && timingSafeEqual(given, right) ? { projectId, edgeId } : undefined
}
