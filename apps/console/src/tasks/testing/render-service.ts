import { fileEndpoints, taskDriverEndpoints, taskTokenEndpoints } from '@pult/contract'
import { extensionFolder, type GivenPerson, type TestServer } from '@pult/testkit'

/** An extension with task kinds and no app. */
export const renderExtension = () =>
  extensionFolder({
    render: {
      manifest: {
        id: 'render',
        products: [
          { sku: 'render', label: 'Render', roles: [{ id: 'user', label: 'User', roles: ['render'] }] },
        ],
        tasks: [
          { kind: 'report', label: 'Production report', labels: { 'de-DE': 'Produktionsbericht' } },
          { kind: 'show-file', label: 'Show file' },
        ],
      },
    },
  })

interface TaskOptions {
  title: string
  kind?: 'info' | 'download-generation'
  by?: GivenPerson
}

/** A service that runs tasks of a project with a task token, as an extension's service does. */
export async function renderService(server: TestServer, editor: GivenPerson, projectId: string) {
  const { body } = await editor.call(taskTokenEndpoints.create, {
    params: { projectId },
    body: { label: 'Render service', types: ['render/*'] },
  })
  const { token } = body
  server.watchSecret(token)

  async function begin({ title, kind = 'info', by }: TaskOptions) {
    const answer = await server.call(
      taskDriverEndpoints.create,
      {
        params: { projectId },
        body: {
          type: kind === 'info' ? 'render/report' : 'render/show-file',
          kind,
          title,
          ...(by && { createdBy: by.personId }),
        },
      },
      token,
    )
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    const { task, fence } = answer.body
    const params = { projectId, taskId: task._id }
    const drive = { fence }
    return {
      _id: task._id,
      report: (done: number, total: number, info?: string) =>
        server.call(
          taskDriverEndpoints.report,
          { params, body: { ...drive, progress: [done, total], ...(info !== undefined && { info }) } },
          token,
        ),
      log: (...lines: string[]) =>
        server.call(taskDriverEndpoints.appendLog, { params, body: { ...drive, lines } }, token),
      fulfil: (result: { info?: string; file?: string; fileName?: string } = {}) =>
        server.call(taskDriverEndpoints.fulfil, { params, body: { ...drive, ...result } }, token),
      reject: (error?: string) =>
        server.call(
          taskDriverEndpoints.reject,
          { params, body: { ...drive, ...(error !== undefined && { error }) } },
          token,
        ),
    }
  }

  /** Uploads the file that a download task has created. Returns its file name. */
  async function upload(name: string, text: string): Promise<string> {
    const bytes = new TextEncoder().encode(text)
    const { body: ticket } = await editor.call(fileEndpoints.create, {
      body: { filename: name, contentType: 'text/plain', size: bytes.length, project: projectId },
    })
    server.watchSecret(ticket.url.slice(ticket.url.lastIndexOf('/') + 1))
    const put = await fetch(new URL(ticket.url, server.url), {
      method: 'PUT',
      headers: ticket.headers,
      body: bytes,
    })
    if (!put.ok) throw new Error(await put.text())
    return ticket.filename
  }

  return { begin, upload, token }
}
