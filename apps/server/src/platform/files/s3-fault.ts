import { explain } from '../app-error.ts'
import type { Sentence } from '../language.ts'
import { FileStoreFault } from './file-store-fault.ts'
import { statusOf } from './s3-client.ts'

const both = (de: string, german: string): Sentence => ({ de, 'de-DE': german })

/** Codes of certificates that Node.js does not accept. */
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ALTNAME/

/** Another region, or another endpoint of the same provider. */
const ofRegion = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
])

/** The request that failed: its action, such as `PutObject`, and the prefix of its object, such as `kept/`. */
interface FailedRequest {
  action: string
  place: string
}

/** Returns why the bucket cannot be used. Replies may quote the key, so only their codes are named. */
export function faultOfS3(error: unknown, bucket: string, { action, place }: FailedRequest): FileStoreFault {
  const status = statusOf(error)
  const name = error instanceof Error ? error.name : 'unknown error'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const fault = (what: Sentence, fix: Sentence) => new FileStoreFault(what, fix, error)
  if (status === undefined && untrusted.test(code))
    return fault(
      both(
        `the certificate of the file store is not trusted (${code})`,
        `dem Zertifikat des Dateispeichers wird nicht vertraut (${code})`,
      ),
      both(
        'Use the host name of the certificate in FILES_S3_ENDPOINT, and name the certificate authority in NODE_EXTRA_CA_CERTS',
        'Verwenden Sie in FILES_S3_ENDPOINT den Hostnamen des Zertifikats, und nennen Sie die Zertifizierungsstelle in NODE_EXTRA_CA_CERTS',
      ),
    )
  if (status === undefined)
    return fault(
      both(
        `the file store cannot be reached (${explain(error)})`,
        `der Dateispeicher ist nicht erreichbar (${explain(error)})`,
      ),
      both(
        'Check FILES_S3_ENDPOINT, that the store runs, and the firewalls in between',
        'Prüfen Sie FILES_S3_ENDPOINT, ob der Speicher läuft, und die Firewalls dazwischen',
      ),
    )
  if (name === 'RequestTimeTooSkewed')
    return fault(
      both(
        'the clocks of this machine and of the file store differ',
        'die Uhren dieser Maschine und des Dateispeichers weichen voneinander ab',
      ),
      both(
        'Synchronise the clocks of both machines, for example with chrony',
        'Gleichen Sie die Uhren beider Maschinen ab, zum Beispiel mit chrony',
      ),
    )
  if (ofRegion.has(name))
    return fault(
      both(
        `the bucket ${bucket} is not in this region (${name})`,
        `der Bucket ${bucket} liegt nicht in dieser Region (${name})`,
      ),
      both(
        'Set FILES_S3_REGION and FILES_S3_ENDPOINT to those of the bucket',
        'Setzen Sie FILES_S3_REGION und FILES_S3_ENDPOINT auf die Werte des Buckets',
      ),
    )
  if (status === 507 || /StorageFull|QuotaExceeded/.test(name))
    return fault(
      both(`the file store is full (${name})`, `der Dateispeicher ist voll (${name})`),
      both(
        `Free space in it, or raise the quota of the bucket ${bucket}`,
        `Schaffen Sie dort Platz, oder erhöhen Sie die Grenze des Buckets ${bucket}`,
      ),
    )
  if (status === 403 && name === 'AccessDenied')
    return fault(
      both(
        `the key of the file store lacks the permission s3:${action} (${name})`,
        `dem Schlüssel des Dateispeichers fehlt das Recht s3:${action} (${name})`,
      ),
      both(
        `Permit s3:${action} on ${resourceOf(bucket, place)} for the key in FILES_S3_ACCESS_KEY`,
        `Erlauben Sie dem Schlüssel aus FILES_S3_ACCESS_KEY s3:${action} für ${resourceOf(bucket, place)}`,
      ),
    )
  if (status === 401 || status === 403)
    return fault(
      both(`the file store refuses the key (${name})`, `der Dateispeicher lehnt den Schlüssel ab (${name})`),
      both(
        `Check FILES_S3_ACCESS_KEY and FILES_S3_SECRET_KEY, and that this key may list, read, write and delete in the bucket ${bucket}`,
        `Prüfen Sie FILES_S3_ACCESS_KEY und FILES_S3_SECRET_KEY, und ob dieser Schlüssel im Bucket ${bucket} auflisten, lesen, schreiben und löschen darf`,
      ),
    )
  if (status === 405 || status === 501)
    return fault(
      both(
        `the file store does not know a request of the kind s3:${action} (${name})`,
        `der Dateispeicher kennt Anfragen der Art s3:${action} nicht (${name})`,
      ),
      both(
        'Use a store that takes files in parts (multipart uploads). Until then, interrupted uploads to it start again',
        'Verwenden Sie einen Speicher, der Dateien in Teilen annimmt (Multipart-Uploads). Bis dahin beginnen unterbrochene Uploads dorthin von vorn',
      ),
    )
  if (status === 404)
    return fault(
      both(`the bucket ${bucket} does not exist`, `der Bucket ${bucket} fehlt`),
      both(
        'Create it, or correct FILES_S3_BUCKET, FILES_S3_ENDPOINT or FILES_S3_PATH_STYLE',
        'Legen Sie ihn an, oder berichtigen Sie FILES_S3_BUCKET, FILES_S3_ENDPOINT oder FILES_S3_PATH_STYLE',
      ),
    )
  return fault(
    both(
      `the file store answers with an error (${status}, ${name})`,
      `der Dateispeicher antwortet mit einem Fehler (${status}, ${name})`,
    ),
    both(
      'Check FILES_S3_ENDPOINT, and ask the operator of the file store for the reason',
      'Prüfen Sie FILES_S3_ENDPOINT, und fragen Sie den Betreiber des Dateispeichers nach dem Grund',
    ),
  )
}

/** As in the policy of a key. */
const resourceOf = (bucket: string, place: string) =>
  place === '' ? `arn:aws:s3:::${bucket}` : `arn:aws:s3:::${bucket}/${place}*`
