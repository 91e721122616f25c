import { Readable } from 'node:stream'
import { fileEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const settings = { FILE_TOTAL: '2000000' }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings })
const { given } = server

const contentType = 'application/octet-stream'

test('RULE-71 uploads and generated files beyond the storage of the installation are rejected with 507', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => given.person()))
  const body = { filename: 'a.bin', contentType, size: 600_000 }
  const answers = await Promise.all(
    people.map(({ token }, place) =>
      (place % 2 === 0 ? server : second).call(fileEndpoints.create, { body }, token),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  const refused = answers.filter(({ status }) => status !== 200).map(({ status, code }) => [status, code])
  expect(refused).toEqual(Array.from({ length: 5 }, () => [507, 'DISK_FULL']))

  const [ada] = people
  const headers = { 'accept-language': 'de' }
  expect((await ada?.call(fileEndpoints.create, { body, headers }))?.body).toMatchObject({
    message:
      'Der Dateispeicher dieser Installation ist voll. Löschen Sie Dateien, oder bitten Sie Root um mehr Platz',
  })

  const keep = async (bytes: number) => {
    const { projectId } = await given.project(await given.person())
    return server.app.files.keep(
      { projectId, personId: null, readers: 'project', name: 'a', contentType, lifetime: 3_600_000 },
      Readable.from([Buffer.alloc(bytes)]),
    )
  }
  await expect(keep(300_000)).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect((await keep(200_000)).size).toBe(200_000)
  await expect(keep(1)).rejects.toMatchObject({ code: 'DISK_FULL' })
})
