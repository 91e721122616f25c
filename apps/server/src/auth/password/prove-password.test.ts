import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { createPeopleService } from '../../people/people.service.ts'
import { createAttempts } from '../attempts.ts'
import { createKnownDevices } from '../known-devices.ts'
import { createHashQueue, type Enqueue } from './hash-queue.ts'
import { createProvePassword } from './prove-password.ts'

const server = await testServer()
const { db } = server

const origin = { address: '127.0.0.1', device: undefined }

/** Proves a password for a call that was admitted before the user was disabled. */
const proofWith = (hashes: Enqueue) =>
  createProvePassword({
    noticeLock: async () => {},
    people: createPeopleService(db),
    attempts: createAttempts(db),
    devices: createKnownDevices(db),
    hashes,
  })

const countedOf = async (personId: string) =>
  db.selectFrom('attempt').select('failures').where('key', '=', `password:${personId}`).executeTakeFirst()

test('RULE-30 the correct password of a user who was disabled concurrently proves nothing', async () => {
  const prove = proofWith(createHashQueue({ running: 1, waiting: 1 }))
  const ada = await server.given.person()
  expect(await prove(ada, ada.password, origin)).toBe(true)
  await db
    .updateTable('person')
    .set({ disabled_at: sql<Date>`now()` })
    .where('id', '=', ada.personId)
    .execute()
  expect(await prove(ada, ada.password, origin)).toBe(false)
  expect(await countedOf(ada.personId)).toEqual({ failures: 1 })
})

test('RULE-09 a proof waits in the hash queue, and a rejected one does not count as an attempt', async () => {
  const full: Enqueue = async () => {
    throw new AppError('BUSY')
  }
  const ada = await server.given.person()
  await expect(proofWith(full)(ada, 'wrong password', origin)).rejects.toThrow('The server is busy')
  expect(await countedOf(ada.personId)).toBeUndefined()
})
