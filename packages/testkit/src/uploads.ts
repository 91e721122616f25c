import { fileEndpoints, type Task, taskEndpoints } from '@pult/contract'
import type { GivenPerson } from './given.ts'
import type { TestServer } from './test-server.ts'

export interface UploadedFile {
  name: string
  contentType: string
  content: Uint8Array
  project?: string
}

/** Uploads a file like a client. Returns the file's name for other calls. */
export async function upload(
  server: TestServer,
  person: GivenPerson,
  { name, contentType, content, project }: UploadedFile,
): Promise<string> {
  const { body } = await person.call(fileEndpoints.create, {
    body: {
      filename: name,
      contentType,
      size: content.byteLength,
      ...(project !== undefined && { project }),
    },
  })
  server.watchSecret(body.url.slice(body.url.lastIndexOf('/') + 1))
  const answer = await fetch(new URL(body.url, server.url), {
    method: 'PUT',
    headers: body.headers,
    body: Buffer.from(content),
  })
  if (answer.status !== 200)
    throw new Error(`The upload failed with ${answer.status}: ${await answer.text()}`)
  return body.filename
}

/** Waits until a task has reached a terminal state. */
export async function taskEnd(
  person: GivenPerson,
  { project, _id }: Pick<Task, '_id' | 'project'>,
): Promise<Task> {
  for (const until = performance.now() + 30_000; performance.now() < until; ) {
    const { body } = await person.call(taskEndpoints.read, { params: { projectId: project, taskId: _id } })
    if (body.fulfilledAt !== null) return body
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The task is still running')
}
