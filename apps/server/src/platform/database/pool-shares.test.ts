import { expect, test } from 'vitest'
import { asWork, createPoolShares, signInWork, workKind } from './pool-shares.ts'

/** Shares of a pool of ten, whose clock the test moves. Only the longest wait passes alone. */
function poolOfTen(patience = 60_000) {
  let time = 0
  const shares = createPoolShares({ max: 10, patience, now: () => time })
  const granted: string[] = []

  /** Takes a connection or waits for one. Returns its release once it is granted. */
  function take(kind: string) {
    const taken = shares.acquire(kind)
    void taken.then(
      () => granted.push(kind),
      () => {},
    )
    return taken
  }
  const takeAll = (kind: string, count: number) => Array.from({ length: count }, () => take(kind))
  const release = async (taken: Promise<() => void> | undefined) => (await taken)?.()
  /** Returns the kinds that received a connection since the last call. */
  const seen = async () => {
    await new Promise(setImmediate)
    return granted.splice(0)
  }
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  return { shares, take, takeAll, release, seen, pass }
}
const times = (count: number, kind: string) => Array.from({ length: count }, () => kind)

test('one kind of work takes less than half of the pool, and further kinds find a connection', async () => {
  const { shares, takeAll, seen } = poolOfTen()
  void takeAll('a', 20)
  expect(await seen()).toEqual(times(4, 'a'))
  void takeAll('b', 20)
  expect(await seen()).toEqual(times(2, 'b'))
  void takeAll('c', 20)
  expect(await seen()).toEqual(['c'])
  void takeAll('d', 20)
  expect(await seen()).toEqual(['d'])
  expect(shares.waiting()).toBe(72)
})

test('sign-in takes any free connection, and is served first when none is free', async () => {
  const { take, takeAll, release, seen } = poolOfTen()
  const [first] = takeAll('a', 20)
  void takeAll('b', 20)
  void takeAll('c', 20)
  void takeAll('d', 20)
  await seen()
  void takeAll(signInWork, 2)
  expect(await seen()).toEqual(times(2, signInWork))
  void take(signInWork)
  expect(await seen()).toEqual([])
  await release(first)
  expect(await seen()).toEqual([signInWork])
})

test('slow kinds hold at most half of the pool together', async () => {
  const { take, takeAll, release, seen, pass } = poolOfTen()
  const held = [...takeAll('a', 4), ...takeAll('b', 2)]
  await seen()
  pass(1001)
  for (const taken of held) await release(taken)
  const slow = [...takeAll('a', 4), ...takeAll('b', 1)]
  expect(await seen()).toEqual([...times(4, 'a'), 'b'])
  void take('b')
  expect(await seen()).toEqual([])
  void takeAll('c', 2)
  expect(await seen()).toEqual(times(2, 'c'))
  await release(slow[0])
  expect(await seen()).toEqual(['b'])
})

test('a kind is served last until five seconds after its last long work', async () => {
  const { take, takeAll, release, seen, pass } = poolOfTen()
  const long = take('a')
  await seen()
  pass(1001)
  await release(long)
  const fill = takeAll('b', 4)
  void takeAll('c', 2)
  void takeAll('d', 1)
  void takeAll('e', 1)
  void take('a')
  void take('f')
  await seen()
  await release(fill[0])
  expect(await seen()).toEqual(['f'])
  pass(5001)
  void take('g')
  await release(fill[1])
  expect(await seen()).toEqual(['a'])
})

test('work without a name is never slow', async () => {
  const { take, takeAll, release, seen, pass } = poolOfTen()
  const long = take('other')
  await seen()
  pass(1001)
  await release(long)
  const fill = takeAll('b', 4)
  void takeAll('c', 2)
  void takeAll('d', 1)
  void takeAll('e', 1)
  void take('other')
  void take('f')
  await seen()
  await release(fill[0])
  expect(await seen()).toEqual(['other'])
})

test('a waiter whose time has ended leaves, and a later release goes to the next one', async () => {
  const { shares, take, takeAll, release, seen } = poolOfTen(500)
  const held = takeAll('a', 4)
  await expect(take('a')).rejects.toThrow('timeout exceeded when trying to connect')
  expect(shares.waiting()).toBe(0)
  void take('a')
  await seen()
  await release(held[0])
  expect(await seen()).toEqual(['a'])
})

test('a release hands over one connection, and a second call of it nothing', async () => {
  const { shares, takeAll, seen } = poolOfTen()
  const [first] = takeAll('a', 4)
  void takeAll('a', 2)
  await seen()
  const release = await first
  release?.()
  release?.()
  expect(await seen()).toEqual(['a'])
  expect(shares.waiting()).toBe(1)
})

test('the kind of work reaches everything that the work starts', async () => {
  expect(workKind()).toBe('other')
  const later = asWork('a', async () => {
    await new Promise(setImmediate)
    return [workKind(), asWork('b', workKind)]
  })
  expect(workKind()).toBe('other')
  expect(await later).toEqual(['a', 'b'])
})
