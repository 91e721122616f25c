import { execFile } from 'node:child_process'
import { access, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  type Endpoint,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  fileEndpoints,
  loginEndpoints,
  type MediaItem,
  mediaEndpoints,
  projectEndpoints,
  projectTaskEndpoints,
  type ReplyOf,
  rootExtensionEndpoints,
  sessionEndpoints,
  streamDeckEndpoints,
  taskEndpoints,
} from '@pult/contract'
import { type CallInput, callEndpoint } from '../../packages/testkit/src/call.ts'
import { type DemoMachine, demoMachines, furtherMachines, settle, startAgents } from './demo-agents.ts'
import { deckKeys } from './demo-decks.ts'
import { type DemoName, demoPeople } from './demo-people.ts'
import { type Scene, scenes } from './demo-scenes.ts'
import { livingProjects } from './demo-story.ts'

interface LifeParts {
  /** Address of the running server. */
  url: string
  /** The password of all accounts. */
  password: string
  dataFolder: string
  /** Whether the fleet has all machines. Each machine needs a process. */
  isWhole?: boolean
}

/** Makes a call of a signed-in account. */
type Call = <E extends Endpoint>(endpoint: E, input?: CallInput<E>) => Promise<ReplyOf<E>>

const here = dirname(fileURLToPath(import.meta.url))
const drawer = join(here, 'draw-scenes.ts')

/**
 * Creates records that need a running server through the API: an installed extension, media, edges with agents, an
 * export and Stream Decks.
 * Creates them once; later calls only start the agents.
 */
export async function addDemoLife({
  url,
  password,
  dataFolder,
  isWhole = false,
}: LifeParts): Promise<{ stop(): void }> {
  const folder = join(dataFolder, 'demo')
  const machines = join(folder, 'edges')
  const done = join(folder, 'done')
  const isDone = await access(done).then(
    () => true,
    () => false,
  )
  if (!isDone) {
    await mkdir(machines, { recursive: true })
    const henrik = await signIn({ url, password }, 'henrik')
    const jakob = await signIn({ url, password }, 'jakob')
    const rosa = await signIn({ url, password }, 'rosa')
    await installLoadBank(rosa, dataFolder)
    const fleet = isWhole ? [...demoMachines, ...furtherMachines] : demoMachines
    await enrolMachines(henrik, { url, folder: machines, fleet })
    if (isWhole) await announceMachines(henrik)
    const media = await uploadScenes({ henrik, jakob }, url)
    await giveDecks(henrik, media)
    await tidy(henrik, 'shorePower')
    const shorePower = await projectIdOf(henrik, 'shorePower')
    await henrik(projectTaskEndpoints.export, { params: { projectId: shorePower }, body: {} })
    for (const call of [henrik, jakob, rosa]) await call(sessionEndpoints.logout)
    await writeFile(done, '')
  }
  return startAgents(machines, url)
}

async function signIn({ url, password }: Pick<LifeParts, 'url' | 'password'>, name: DemoName): Promise<Call> {
  const callAs =
    (token: string | undefined): Call =>
    async (endpoint, input) => {
      const { body, code } = await callEndpoint(url, token, endpoint, input)
      if (code !== undefined) throw new Error(`${endpoint.method} ${endpoint.path} failed with ${code}`)
      return body
    }
  const data = { username: demoPeople[name].email, password }
  const { token } = await callAs(undefined)(loginEndpoints.login, { body: { type: 'credentials', data } })
  if (token === undefined) throw new Error(`${name} could not sign in`)
  return callAs(token)
}

async function projectIdOf(call: Call, name: keyof typeof livingProjects): Promise<string> {
  const { items } = await call(projectEndpoints.list)
  const project = items.find(({ label }) => label === livingProjects[name].label)
  if (project === undefined) throw new Error(`The project ${livingProjects[name].label} does not exist`)
  return project._id
}

/** Installs the extension of the trial run. */
async function installLoadBank(rosa: Call, dataFolder: string): Promise<void> {
  await cp(join(here, 'load-bank'), join(dataFolder, 'extensions', 'load-bank-1.4.0'), { recursive: true })
  await rosa(rootExtensionEndpoints.enable, { params: { name: 'load-bank' }, body: {} })
}

/** Continues an interrupted start: existing records are recognised by their label. */
async function enrolMachines(
  call: Call,
  { url, folder, fleet }: { url: string; folder: string; fleet: readonly DemoMachine[] },
): Promise<void> {
  for (const machine of fleet) {
    const projectId = await projectIdOf(call, machine.project)
    const { items } = await call(edgeEndpoints.list, { params: { projectId } })
    const known = items.find(({ label }) => label === machine.label)
    const { code } = await (known === undefined
      ? call(edgeEndpoints.enrol, { params: { projectId }, body: { label: machine.label } })
      : call(edgeEndpoints.newCode, { params: { projectId, edgeId: known._id } }))
    const { edge, token } = await call(edgeEnrolmentEndpoints.redeem, { body: { code } })
    await settle(join(folder, machine.name), machine, { server: url, edge, token, usedCode: '' })
  }
}

/** Adds edges that wait for their first connection. */
async function announceMachines(call: Call): Promise<void> {
  for (const [project, label] of [
    ['shorePower', 'Landanschluss 3'],
    ['terminal', 'Portalkran 5'],
  ] as const) {
    const projectId = await projectIdOf(call, project)
    const { items } = await call(edgeEndpoints.list, { params: { projectId } })
    if (!items.some((edge) => edge.label === label))
      await call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  }
}

async function uploadScenes(
  calls: { henrik: Call; jakob: Call },
  url: string,
): Promise<Map<string, MediaItem>> {
  const pictures = await mkdtemp(join(tmpdir(), 'pult-demo-'))
  try {
    await promisify(execFile)(process.execPath, [drawer, pictures])
    const media = new Map<string, MediaItem>()
    for (const scene of scenes) {
      const call = calls[livingProjects[scene.project].owner]
      media.set(scene.file, await uploadScene(call, { url, scene, path: join(pictures, scene.file) }))
    }
    return media
  } finally {
    await rm(pictures, { recursive: true, force: true })
  }
}

async function uploadScene(
  call: Call,
  { url, scene, path }: { url: string; scene: Scene; path: string },
): Promise<MediaItem> {
  const { file, label, tags } = scene
  const projectId = await projectIdOf(call, scene.project)
  const { items } = await call(mediaEndpoints.list, { params: { projectId } })
  const known = items.find((item) => item.label === label)
  if (known !== undefined) return known
  const content = await readFile(path)
  const contentType = file.endsWith('.png') ? 'image/png' : 'image/jpeg'
  const ticket = await call(fileEndpoints.create, {
    body: { filename: file, contentType, size: content.byteLength, project: projectId },
  })
  const answer = await fetch(url + ticket.url, { method: 'PUT', headers: ticket.headers, body: content })
  if (!answer.ok) throw new Error(`The upload of ${file} failed with ${answer.status}`)
  return call(mediaEndpoints.create, {
    params: { projectId },
    body: { file: ticket.filename, label, tags },
  })
}

/** Archives the tasks that generated picture formats, to keep the task list readable. */
async function tidy(call: Call, project: keyof typeof livingProjects): Promise<void> {
  const projectId = await projectIdOf(call, project)
  for (let tries = 0; tries < 100; tries += 1) {
    const { items } = await call(mediaEndpoints.list, { params: { projectId } })
    // A medium is ready a moment before its task has ended.
    const open = await call(taskEndpoints.list, { params: { projectId }, query: { state: 'open' } })
    const running = new Set<string | null>(open.items.map(({ _id }) => _id))
    const waiting = items.some(({ state, task }) => state === 'processing' || running.has(task))
    if (waiting) await sleep(200)
    else {
      for (const { task } of items)
        if (task !== null) await call(taskEndpoints.archive, { params: { projectId, taskId: task } })
      return
    }
  }
}

async function giveDecks(call: Call, media: Map<string, MediaItem>): Promise<void> {
  const projectId = await projectIdOf(call, 'shorePower')
  const { items } = await call(edgeEndpoints.list, { params: { projectId } })
  const edge = items.find(({ label }) => label === demoMachines[0]?.label)
  const wallpaper = media.get('hafen-am-abend.jpg')
  if (edge === undefined || wallpaper === undefined)
    throw new Error('The edge or the picture of the Stream Decks is missing')
  await call(streamDeckEndpoints.update, {
    body: {
      brightness: 0.72,
      wallpaper: { type: 'medium', medium: wallpaper._id, project: projectId },
      wallpaperText: 'Kai 7',
      mapping: { 0: ['CL12K1A03417'], 1: ['AL28J2C00962'] },
      keys: deckKeys({ projectId, edgeId: edge._id }),
    },
  })
}
