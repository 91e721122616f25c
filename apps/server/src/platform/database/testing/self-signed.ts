import { certificateFor } from '../../../../../../packages/testkit/src/certificate.ts'

/** A key and a self-signed certificate for one host name or IPv4 address, as PEM. */
export const selfSigned = (host: string): { key: string; certificate: string } => certificateFor(host)
