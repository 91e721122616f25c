import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { createPeopleService } from '../../people/people.service.ts'
import { createAttempts } from '../attempts.ts'
import { createHashQueue, type Enqueue } from './hash-queue.ts'
import { createProvePassword } from './prove-password.ts'

const server = await testServer()
const { db } = server

/** As a call would have it that was let in before the person was disabled. */
const proofWith = (hashes: Enqueue) =>
  createProvePassword({
    noticeLock: async () => {},
    people: createPeopleService(db),
    attempts: createAttempts(db),
    hashes,
  })

const countedOf = async (personId: string) =>
  db.selectFrom('attempt').select('failures').where('key', '=', `password:${personId}`).executeTakeFirst()

test('RULE-30 the right password of somebody who was disabled meanwhile proves nothing', async () => {
  const prove = proofWith(createHashQueue({ running: 1, waiting: 1 }))
  const ada = await server.given.person()
  expect(await prove(ada, ada.password, '127.0.0.1')).toBe(true)
  await db
    .updateTable('person')
    .set({ disabled_at: sql<Date>`now()` })
    .where('id', '=', ada.personId)
    .execute()
  expect(await prove(ada, ada.password, '127.0.0.1')).toBe(false)
  expect(await countedOf(ada.personId)).toEqual({ failures: 1 })
})

test('RULE-09 a proof waits for its turn in the queue, and one that gets none does not count', async () => {
  const full: Enqueue = async () => {
    throw new AppError('BUSY')
  }
  const ada = await server.given.person()
  await expect(proofWith(full)(ada, 'wrong password', '127.0.0.1')).rejects.toThrow('The server is busy')
  expect(await countedOf(ada.personId)).toBeUndefined()
})
