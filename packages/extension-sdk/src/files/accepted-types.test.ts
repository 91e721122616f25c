import { expect, test } from 'vitest'
import { isAcceptedType } from './accepted-types.ts'

const media = 'image/png,.avif,audio/*'

test.each([
  [{ name: 'a.png', type: 'image/png' }, media, true],
  [{ name: 'a.gif', type: 'image/gif' }, media, false],
  [{ name: 'a.flac', type: 'audio/flac; codecs=flac' }, media, true],
  // Systems that know no type for AVIF.
  [{ name: 'Windows.AVIF', type: '' }, media, true],
  [{ name: 'attachment of a mail', type: '' }, media, true],
  [{ name: 'attachment of a mail', type: '' }, 'text/csv,.csv', false],
  [{ name: 'backup.bin', type: '' }, media, false],
  [{ name: 'a', type: 'application/pdf' }, media, false],
  [{ name: 'a', type: '' }, '*/*', true],
])('FILE-01 %o in a field for %s is accepted: %s', (file, accept, isAccepted) => {
  expect(isAcceptedType(file, accept)).toBe(isAccepted)
})
