import { extensionEndpoints, type Fragment, loginEndpoints, projectEndpoints } from '@pult/contract'
import { plainEnvironment, type Running, startProcess } from '../../bench/processes.ts'
import { callEndpoint } from '../../packages/testkit/src/call.ts'
import { type DemoName, demoPeople } from '../demo/demo-people.ts'

/** Where the servers of both commits run, one after the other. */
export interface Place {
  dataFolder: string
  /** The port of the server. */
  port: number
  /** The port of the front: see `recording.ts`. */
  frontPort: number
  /** The address of the front, which browsers open. */
  url: string
}

async function start(folder: string, place: Place, args: string[], ready: RegExp): Promise<Running> {
  const settings = {
    PULT_DATA: place.dataFolder,
    PORT: String(place.port),
    HOST: 'localhost',
    PULT_URL: place.url,
  }
  const env = plainEnvironment(settings)
  // The first start builds the console.
  return startProcess({ program: process.execPath, args, cwd: folder, env, ready, timeoutSeconds: 600 })
}

/** Starts the demo of a checkout. Resolves when its data is complete. */
export async function startDemo(
  folder: string,
  place: Place,
): Promise<{ server: Running; password: string }> {
  const server = await start(
    folder,
    place,
    ['tools/demo/demo.ts'],
    /Stream Decks are ready|demo is incomplete/,
  )
  return { server, password: await server.findLine(/Sign in with the password (\S+)/) }
}

/** Starts the server of a checkout with the data of the demo. */
export const startServer = (folder: string, place: Place): Promise<Running> =>
  start(folder, place, ['tools/start.mjs', '--once'], /Pult \S+ is ready/)

/** Signs a user of the demo in. Returns the token. */
export async function signIn({ port }: Place, name: DemoName, password: string): Promise<string> {
  const data = { username: demoPeople[name].email, password }
  const { body } = await callEndpoint(`http://localhost:${port}`, undefined, loginEndpoints.login, {
    body: { type: 'credentials', data },
  })
  if (body.token === undefined) throw new Error(`${name} could not sign in`)
  return body.token
}

/** The code of an extension: addresses and hashes, which change with each build. */
export type ExtensionCode = Pick<Fragment, 'entry' | 'styles' | 'integrity'>

/** Reads the code of all extensions that root can load, by extension. */
export async function readExtensionCode(place: Place, password: string): Promise<Map<string, ExtensionCode>> {
  const token = await signIn(place, 'rosa', password)
  const server = `http://localhost:${place.port}`
  const { items } = (await callEndpoint(server, token, projectEndpoints.list)).body
  const queries = [{}, ...items.map(({ _id }) => ({ project: _id }))]
  const lists = await Promise.all(
    queries.map((query) => callEndpoint(server, token, extensionEndpoints.probe, { query })),
  )
  const fragments = lists.flatMap(({ body }) => body)
  return new Map(fragments.map(({ id, entry, styles, integrity }) => [id, { entry, styles, integrity }]))
}
