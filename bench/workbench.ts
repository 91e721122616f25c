import { chmod, copyFile, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedConnection } from '../apps/server/src/platform/database/embedded/connection.ts'
import { buildConsole } from '../tools/build-console.ts'
import { buildEdgeAgent } from '../tools/build-edge-agent.ts'
import { buildExtensions } from '../tools/build-extensions.ts'
import { buildFloorPage } from './floor/build.ts'
import type { FloorOptions } from './floor/options.ts'
import { makeFloorDatabase } from './floor/sessions.ts'
import { createInstallation, type Installation, registerRoot, root, rootEmail } from './installation.ts'
import { addPeople, type People } from './people.ts'
import { freePort, plainEnvironment, type Running, startProcess, stopAll } from './processes.ts'

/** Both sides running concurrently: the product, and the floor on the same PostgreSQL. */
export interface Pair {
  pultUrl: string
  floorUrl: string
  /** A session token of each side. */
  pultToken: string
  floorToken: string
  /** Tokens of different users' sessions that the floor knows. */
  floorTokens: readonly string[]
  people: People
  /** Connection to the product's database for test data. */
  connection: EmbeddedConnection
}

const peopleCount = 500

/** Creates a folder for one run of the bench and the resources that its sections share. */
export async function createWorkbench() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pult-bench-')))
  await chmod(folder, 0o755)
  // The bench also runs on Node. The servers use a copy of the program file, so that they share no memory pages with
  // it.
  const node = join(folder, 'node')
  await copyFile(process.execPath, node)
  const floorPage = join(folder, 'floor-page')

  const installations: Installation[] = []
  const newInstallation = async (settings: Record<string, string> = {}): Promise<Installation> => {
    const place = join(folder, `installation-${installations.length}`)
    const installation = await createInstallation(place, node, settings)
    installations.push(installation)
    return installation
  }

  async function startFloor(options: Partial<FloorOptions>): Promise<Running & { url: string }> {
    const port = await freePort()
    const full: FloorOptions = { port, assets: floorPage, usernames: [], passwordHash: '', ...options }
    const running = await startProcess({
      program: node,
      args: [join(import.meta.dirname, 'floor/server.ts'), JSON.stringify(full)],
      cwd: root,
      env: plainEnvironment({ NODE_COMPILE_CACHE: join(folder, 'floor-cache') }),
      ready: /^The floor is ready/,
    })
    return { ...running, url: `http://localhost:${port}` }
  }

  let pair: Promise<Pair> | undefined
  async function startPair(): Promise<Pair> {
    const installation = await newInstallation()
    const pult = await installation.start()
    const pultToken = await registerRoot(pult)
    const connection = await installation.connection()
    const people = await addPeople(connection, peopleCount)
    const sessions = await makeFloorDatabase(connection)
    const floor = await startFloor({
      usernames: [rootEmail, ...people.names],
      passwordHash: people.passwordHash,
      database: sessions.connection,
      projects: connection,
    })
    return {
      pultUrl: pult.url,
      floorUrl: floor.url,
      pultToken,
      floorToken: sessions.tokens[0] ?? '',
      floorTokens: sessions.tokens,
      people,
      connection,
    }
  }

  return {
    folder,
    newInstallation,
    startFloor,
    /** Builds both pages for production. */
    async build(): Promise<void> {
      await buildConsole()
      await buildExtensions()
      await buildEdgeAgent()
      await buildFloorPage(floorPage)
    },
    /** Starts both sides on first use and caches them. */
    pair(): Promise<Pair> {
      pair ??= startPair()
      return pair
    },
    /** Ends all processes of the run and deletes its folder. Nothing can be started afterwards. */
    async close(): Promise<void> {
      await stopAll({ forGood: true })
      await (await pair?.catch(() => undefined))?.people.close()
      for (const installation of installations) await installation.discard()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
export type Workbench = Awaited<ReturnType<typeof createWorkbench>>
