import { inWaves, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AppError } from '#platform/app-error.ts'
import {
  createAttempts,
  type EscalatingPolicy,
  passwordPolicy,
  secondFactorPolicy,
  sweepAttempts,
  sweepWindows,
  type WindowPolicy,
} from './attempts.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { db } = server
const attempts = createAttempts(db)
const others = createAttempts(second.db)

// Of a kind that the clean-up job of the running server keeps.
const escalating: EscalatingPolicy = {
  kind: 'password',
  free: 3,
  firstWait: 10,
  longestWait: 35,
  most: 6,
  lockedCode: 'PASSWORD_RESET_NEEDED',
}
const windowed: WindowPolicy = { kind: 'window', most: 3, seconds: 60 }

/** Returns the code and the wait of a refusal, or undefined if the attempt was admitted. */
async function refusal(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise
    return undefined
  } catch (error) {
    return (error as AppError).code
  }
}

const waitOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 0,
    (error: unknown) => (error as AppError).retryAfter,
  )

const rowOf = (key: string) =>
  db
    .selectFrom('attempt')
    .select(['failures', sql<number>`round(extract(epoch from blocked_until - now()))::int`.as('seconds')])
    .where('key', '=', key)
    .executeTakeFirst()

/** Moves the stored times into the past. */
const pass = (seconds: number) =>
  sql`update attempt set blocked_until = blocked_until - make_interval(secs => ${seconds}),
    updated_at = updated_at - make_interval(secs => ${seconds})`.execute(db)

beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
})

describe('consecutive failures', () => {
  test('RULE-06 after the free attempts, each wait is twice as long as the previous one, up to the maximum', async () => {
    expect(await attempts.admit(escalating, 'ada')).toBe(1)
    expect(await attempts.admit(escalating, 'ada')).toBe(2)
    expect(await attempts.admit(escalating, 'ada')).toBe(3)
    const waits: (number | undefined)[] = []
    for (const wait of [10, 20, 35]) {
      waits.push(await waitOf(attempts.admit(escalating, 'ada')))
      await pass(wait - 2)
      expect(await refusal(attempts.admit(escalating, 'ada'))).toBe('TOO_MANY_REQUESTS')
      await pass(2)
      await attempts.admit(escalating, 'ada')
    }
    expect(waits).toEqual([10, 20, 35])
    expect(await refusal(attempts.admit(escalating, 'ada'))).toBe('PASSWORD_RESET_NEEDED')
    await pass(1_000_000)
    expect(await refusal(others.admit(escalating, 'ada'))).toBe('PASSWORD_RESET_NEEDED')
    expect((await rowOf('password:ada'))?.failures).toBe(6)
  })

  test('RULE-06 a refused attempt does not extend the wait', async () => {
    for (let round = 0; round < 3; round += 1) await attempts.admit(escalating, 'ada')
    await pass(5)
    for (let round = 0; round < 5; round += 1) await refusal(attempts.admit(escalating, 'ada'))
    const row = await rowOf('password:ada')
    expect(row?.failures).toBe(3)
    expect(row?.seconds).toBeLessThanOrEqual(5)
  })

  test('RULE-06 a success resets the failures of that account and kind only', async () => {
    const other = { ...escalating, kind: 'second-factor' }
    for (const subject of ['ada', 'grace']) {
      for (const policy of [escalating, other]) {
        await attempts.admit(policy, subject)
        await attempts.admit(policy, subject)
      }
    }
    await others.succeed(escalating, 'ada')
    expect(await attempts.admit(escalating, 'ada')).toBe(1)
    expect(await attempts.admit(other, 'ada')).toBe(3)
    expect(await attempts.admit(escalating, 'grace')).toBe(3)
  })

  test('RULE-05 of a hundred concurrent attempts on two nodes exactly the free ones are admitted', async () => {
    const codes = await inWaves(100, (index) =>
      refusal((index % 2 === 0 ? attempts : others).admit(passwordPolicy, 'ada')),
    )
    expect(codes.filter((code) => code === undefined)).toHaveLength(passwordPolicy.free)
    expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(100 - passwordPolicy.free)
  })

  test('RULE-06 passwords and second factors have the same limits and separate counts', async () => {
    expect(passwordPolicy).toMatchObject({ free: 5, firstWait: 30, longestWait: 3600, most: 100 })
    const { kind, lockedCode, ...limits } = passwordPolicy
    expect(secondFactorPolicy).toMatchObject(limits)
    expect([kind, lockedCode]).toEqual(['password', 'PASSWORD_RESET_NEEDED'])
    await attempts.admit(passwordPolicy, 'ada')
    expect(await attempts.admit(secondFactorPolicy, 'ada')).toBe(1)
  })

  test('RULE-07 an attempt counts even if the surrounding transaction rolls back', async () => {
    await db
      .transaction()
      .execute(async () => {
        await attempts.admit(escalating, 'ada')
        throw new Error('undone')
      })
      .catch(() => {})
    expect((await rowOf('password:ada'))?.failures).toBe(1)
  })

  test('a reset within a transaction rolls back with it', async () => {
    await attempts.admit(escalating, 'ada')
    await db
      .transaction()
      .execute(async (trx) => {
        await attempts.within(trx).succeed(escalating, 'ada')
        throw new Error('undone')
      })
      .catch(() => {})
    expect((await rowOf('password:ada'))?.failures).toBe(1)
  })
})

describe('attempts per window', () => {
  test('RULE-05 of a hundred concurrent attempts on two nodes exactly the limit of the window is admitted', async () => {
    const codes = await inWaves(100, (index) =>
      refusal((index % 2 === 0 ? attempts : others).admitInWindow(windowed, 'net')),
    )
    expect(codes.filter((code) => code === undefined)).toHaveLength(windowed.most)
    expect((await rowOf('window:net'))?.failures).toBe(windowed.most)
  })

  test('RULE-05 the window ends at its time, regardless of the number of attempts, and the next one begins', async () => {
    await attempts.admitInWindow(windowed, 'net')
    await pass(50)
    await attempts.admitInWindow(windowed, 'net')
    await attempts.admitInWindow(windowed, 'net')
    expect(await waitOf(attempts.admitInWindow(windowed, 'net'))).toBe(10)
    await pass(8)
    expect(await refusal(attempts.admitInWindow(windowed, 'net'))).toBe('TOO_MANY_REQUESTS')
    await pass(2)
    await attempts.admitInWindow(windowed, 'net')
    expect(await rowOf('window:net')).toEqual({ failures: 1, seconds: 60 })
  })

  test('RULE-05 a window below its limit ends as well', async () => {
    await attempts.admitInWindow(windowed, 'net')
    await attempts.admitInWindow(windowed, 'net')
    await pass(60)
    await attempts.admitInWindow(windowed, 'net')
    expect(await rowOf('window:net')).toEqual({ failures: 1, seconds: 60 })
  })

  test('a refusal contains the wait, counts nothing and ends with the window', async () => {
    await attempts.refuseBlocked(windowed, 'net')
    expect(await rowOf('window:net')).toBeUndefined()
    for (let round = 0; round < 2; round += 1) await attempts.admitInWindow(windowed, 'net')
    await attempts.refuseBlocked(windowed, 'net')
    await attempts.admitInWindow(windowed, 'net')
    expect(await waitOf(attempts.refuseBlocked(windowed, 'net'))).toBe(60)
    await attempts.refuseBlocked(windowed, 'other')
    expect((await rowOf('window:net'))?.failures).toBe(3)
    await pass(60)
    await attempts.refuseBlocked(windowed, 'net')
  })

  test('a forgiven attempt frees one attempt of its network only, and the count never falls below zero', async () => {
    for (const subject of ['net', 'other']) {
      for (let round = 0; round < 3; round += 1) await attempts.admitInWindow(windowed, subject)
    }
    await attempts.forgive(windowed, 'net')
    expect(await refusal(attempts.admitInWindow(windowed, 'net'))).toBeUndefined()
    expect(await refusal(attempts.admitInWindow(windowed, 'net'))).toBe('TOO_MANY_REQUESTS')
    expect(await refusal(attempts.admitInWindow(windowed, 'other'))).toBe('TOO_MANY_REQUESTS')
    for (let round = 0; round < 5; round += 1) await attempts.forgive(windowed, 'net')
    expect((await rowOf('window:net'))?.failures).toBe(0)
    await attempts.forgive(windowed, 'unknown')
  })

  test('RULE-08 the networks of one IPv6 site together have four times the limit of one, and a site has neighbours', async () => {
    const network = (number: number) => `2001:db8:1:${number.toString(16)}::/64`
    let admitted = 0
    for (let number = 0; number < 20; number += 1)
      if ((await refusal(attempts.admitInWindow(windowed, network(number)))) === undefined) admitted += 1
    expect(admitted).toBe(4 * windowed.most)
    expect(await refusal(others.admitInWindow(windowed, network(99)))).toBe('TOO_MANY_REQUESTS')
    expect(await refusal(attempts.admitInWindow(windowed, '2001:db8:2:1::/64'))).toBeUndefined()
    // A forgiven attempt frees one of the site as well.
    await attempts.forgive(windowed, network(0))
    expect(await refusal(attempts.admitInWindow(windowed, network(99)))).toBeUndefined()
  })

  test('RULE-08 a blocked network does not use up the limit of its site', async () => {
    for (let round = 0; round < 50; round += 1)
      await refusal(attempts.admitInWindow(windowed, '2001:db8:1:1::/64'))
    expect(await refusal(attempts.admitInWindow(windowed, '2001:db8:1:2::/64'))).toBeUndefined()
  })

  test('RULE-05 an alarm-only policy reports exceeding its limit once per window, on one of the nodes', async () => {
    const passing = () =>
      inWaves(20, (index) => (index % 2 === 0 ? attempts : others).passesLimit(windowed, 'all'))
    expect((await passing()).filter((passes) => passes)).toHaveLength(1)
    expect((await passing()).filter((passes) => passes)).toHaveLength(0)
    expect((await rowOf('window:all'))?.failures).toBe(40)
    await pass(60)
    const next: boolean[] = []
    for (let round = 0; round < 6; round += 1) next.push(await attempts.passesLimit(windowed, 'all'))
    expect(next).toEqual([false, false, false, true, false, false])
  })
})

describe('the clean-up job', () => {
  const month = 30 * 24 * 3600

  test('RULE-06 windows that have ended are deleted, but open windows and consecutive failures remain', async () => {
    const past = sql<Date>`now() - interval '1 second'`
    const kinds = ['network', 'passkey', 'passkey-options', 'link', 'reset', 'edge-code', 'alarm']
    await db
      .insertInto('attempt')
      .values([
        ...kinds.map((kind) => ({ key: `${kind}:over`, failures: 1, blocked_until: past })),
        { key: 'network:open', failures: 100, blocked_until: sql<Date>`now() + interval '1 minute'` },
        { key: 'password:ada', failures: 7, blocked_until: past },
        { key: 'device:ada:00', failures: 100, blocked_until: past },
        { key: 'second-factor:ada', failures: 100, blocked_until: past },
        { key: 'second-factor:grace', failures: 1 },
      ])
      .execute()
    await sweepWindows(db)
    const left = await db.selectFrom('attempt').select('key').orderBy('key').execute()
    expect(left.map(({ key }) => key)).toEqual([
      'device:ada:00',
      'network:open',
      'password:ada',
      'second-factor:ada',
      'second-factor:grace',
    ])
  })

  test('RULE-06 attempts older than a month are deleted, but locks that need a reset remain', async () => {
    const rows = [
      { key: 'password:old', failures: 99 },
      { key: 'password:locked', failures: 100 },
      { key: 'second-factor:locked', failures: 100 },
    ].map((row) => ({ ...row, updated_at: sql<Date>`now() - interval '31 days'` }))
    await db.insertInto('attempt').values(rows).execute()
    await db
      .insertInto('attempt')
      .values([
        { key: 'password:young', failures: 1, updated_at: sql<Date>`now() - interval '29 days'` },
        {
          key: 'password:waiting',
          failures: 1,
          updated_at: sql<Date>`now() - interval '31 days'`,
          blocked_until: sql<Date>`now() - make_interval(secs => ${month - 3600})`,
        },
      ])
      .execute()
    await sweepAttempts(db)
    const left = await db.selectFrom('attempt').select('key').orderBy('key').execute()
    expect(left.map(({ key }) => key)).toEqual([
      'password:locked',
      'password:waiting',
      'password:young',
      'second-factor:locked',
    ])
  })
})
