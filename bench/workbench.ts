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

/** Both sides, running at the same time: the product, and the floor on the same PostgreSQL. */
export interface Pair {
  pultUrl: string
  floorUrl: string
  /** Each of a session that its side knows. */
  pultToken: string
  floorToken: string
  /** Of sessions of different people that the floor knows. */
  floorTokens: readonly string[]
  people: People
  /** Of the product's database, for what has to be in it. */
  connection: EmbeddedConnection
}

const peopleCount = 500

/** Prepares a folder for one run of the bench, and what its sections share in it. */
export async function createWorkbench() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pult-bench-')))
  await chmod(folder, 0o755)
  // The bench is a process of Node as well: with a program file of their own the servers share no memory with it.
  const node = join(folder, 'node')
  await copyFile(process.execPath, node)
  const floorPage = join(folder, 'floor-page')

  const installations: Installation[] = []
  const newInstallation = async (): Promise<Installation> => {
    const installation = await createInstallation(join(folder, `installation-${installations.length}`), node)
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
    /** Builds both pages as they are shipped. */
    async build(): Promise<void> {
      await buildConsole()
      await buildExtensions()
      await buildEdgeAgent()
      await buildFloorPage(floorPage)
    },
    /** Started when first asked for, and kept. */
    pair(): Promise<Pair> {
      pair ??= startPair()
      return pair
    },
    async close(): Promise<void> {
      await (await pair?.catch(() => undefined))?.people.close()
      await stopAll()
      for (const installation of installations) await installation.endDatabase()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
export type Workbench = Awaited<ReturnType<typeof createWorkbench>>
