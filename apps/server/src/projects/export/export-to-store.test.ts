import { randomBytes } from 'node:crypto'
import { fileEndpoints, mediaEndpoints, projectTaskEndpoints, taskEndpoints } from '@pult/contract'
import { openS3Server, taskEnd, testServer, upload } from '@pult/testkit'
import { expect, test } from 'vitest'

const store = await openS3Server()
const server = await testServer({ settings: store.settings })
server.watchSecret(store.settings.FILES_S3_SECRET_KEY)
const { given } = server

test('RULE-80 an export is retried after the store has refused its parts', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'media-library'] })
  // More than one part of an upload.
  const content = Buffer.concat([
    Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
    Buffer.from([0xff, 0xfb, 0x90, 0x64]),
    randomBytes(18 * 1024 * 1024),
  ])
  const file = await upload(server, owner, {
    name: 'long.mp3',
    contentType: 'audio/mpeg',
    content,
    project: projectId,
  })
  expect(await owner.call(fileEndpoints.complete, { params: { filename: file } })).toSucceed()
  const made = await owner.call(mediaEndpoints.create, { params: { projectId }, body: { file } })
  expect(made).toSucceed()

  // The client of the store repeats each request twice.
  store.refuseParts(9)
  const started = await owner.call(projectTaskEndpoints.export, { params: { projectId }, body: {} })
  expect(started).toSucceed()
  const task = await taskEnd(owner, started.body)
  expect([task.error, task.isRejected]).toEqual([null, false])
  const log = await owner.call(taskEndpoints.log, { params: { projectId, taskId: task._id } })
  expect(log.body.items.map(({ line }) => line)).toEqual([expect.stringContaining('did not answer')])
  const zip = await fetch(new URL(task.state.fileUrl ?? '', server.url))
  expect((await zip.arrayBuffer()).byteLength).toBeGreaterThan(content.length)
})
