import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { failureOf } from './failures.ts'

test.each([
  ['28P01', 'die Datenbank lehnt die Anmeldung ab (no)', 'Prüfen Sie Benutzer und Passwort in DATABASE_URL'],
  ['28000', 'die Datenbank lehnt die Anmeldung ab (no)', 'Prüfen Sie Benutzer und Passwort in DATABASE_URL'],
  ['CERT_HAS_EXPIRED', 'das Zertifikat der Datenbank ist ungültig (no)', 'Erneuern Sie es'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'für einen anderen Hostnamen (no)', 'den Namen aus dem Zertifikat'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'wird nicht vertraut (no)', 'NODE_EXTRA_CA_CERTS'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'wird nicht vertraut (no)', 'NODE_EXTRA_CA_CERTS'],
  ['57P03', 'die Datenbank ist nicht erreichbar (no)', 'Prüfen Sie Host und Port in DATABASE_URL'],
])('the fault %s of the database has its own German remedy', (code, what, fix) => {
  const cause = Object.assign(new Error('no'), { code })
  const failure = failureOf(Object.assign(new AppError('DATABASE_UNAVAILABLE'), { cause }))
  expect(failure.what['de-DE']).toContain(what)
  expect(failure.fix['de-DE']).toContain(fix)
})
