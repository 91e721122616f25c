import { expect, test } from 'vitest'
import { createCleanUpFailures } from './clean-up-failures.ts'

const hour = 3600

/** Clean-ups of this node, whose time the test controls. */
function cleanUps() {
  let time = 0
  const failures = createCleanUpFailures({ now: () => time })
  return {
    ...failures,
    pass: (seconds: number) => {
      time += seconds * 1000
    },
    names: () => failures.list().map(({ name }) => name),
  }
}

test('tombii/better-ccflare#384 a clean-up that fails twice in a row is reported since its first failure, with its newest reason', () => {
  const { note, pass, list } = cleanUps()
  note('archiveAudit', hour, new Error('first'))
  expect(list()).toEqual([])
  pass(hour)
  note('archiveAudit', hour, new Error('second'))
  const [failure] = list()
  expect(failure).toMatchObject({ name: 'archiveAudit', error: { message: 'second' } })
  pass(hour)
  note('archiveAudit', hour, new Error('third'))
  expect(list()).toMatchObject([{ since: failure?.since, error: { message: 'third' } }])
})

test('a clean-up that succeeds is no longer reported, and its next failure is the first one', () => {
  const { note, pass, names } = cleanUps()
  for (const error of [new Error('no'), new Error('no')]) note('sweepMails', hour, error)
  expect(names()).toEqual(['sweepMails'])
  note('sweepMails', hour)
  expect(names()).toEqual([])
  pass(hour)
  note('sweepMails', hour, new Error('no'))
  expect(names()).toEqual([])
})

test('a failure of this node counts for two intervals: another node may have run the clean-up since', () => {
  const { note, pass, names } = cleanUps()
  for (const error of [new Error('no'), new Error('no')]) note('sweepMails', hour, error)
  pass(2 * hour)
  expect(names()).toEqual(['sweepMails'])
  pass(1)
  expect(names()).toEqual([])
  note('sweepMails', hour, new Error('no'))
  expect(names()).toEqual([])
})
