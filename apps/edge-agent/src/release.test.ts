import { expect, test } from 'vitest'
import { checkFile, checkFollows, verifyRelease } from './release.ts'
import {
  by,
  chain,
  facts,
  file,
  first,
  forgedReleases,
  good,
  running,
  second,
  third,
} from './testing/releases.ts'

/** Runs all checks of an agent before it uses a file. */
function accept(release: unknown, given: Buffer = file, pinned = first.key, version = running) {
  const verified = verifyRelease(release, pinned)
  checkFollows(verified.manifest, version)
  checkFile(verified.manifest, given)
  return verified
}

test('an agent accepts the release of its pinned key, and of a key that descends from it', () => {
  expect(accept(good)).toEqual({ manifest: facts, key: first.key })
  expect(accept(by(second, {}, chain.slice(0, 1))).key).toBe(second.key)
  expect(accept(by(third, {}, chain)).key).toBe(third.key)
  // This agent has already followed one replacement.
  expect(accept(by(third, {}, chain), file, second.key).key).toBe(third.key)
  expect(accept(by(third, {}, chain), file, third.key).key).toBe(third.key)
})

test.each(forgedReleases)('an agent refuses a release with %s', (_name, release, given, pinned, version) => {
  expect(() => accept(release, given, pinned, version)).toThrow()
})

test('the error for a truncated file names its size and the expected one', () => {
  expect(() => accept(good, file.subarray(0, -1))).toThrow(
    `${file.length - 1} bytes instead of ${file.length}`,
  )
})
