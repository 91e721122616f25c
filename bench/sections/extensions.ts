import { get } from 'node:http'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { chromiumFlags, findBrowser } from '../../tools/browser.ts'
import { type Boot, bootTwice, nothingStored, tiles } from '../browser/console-boot.ts'
import { loadedFiles } from '../browser/loaded-files.ts'
import { openApps } from '../browser/open-app.ts'
import { type ExtendedSide as Side, startWithExtensions } from '../extended-installation.ts'
import { root } from '../installation.ts'
import { buildPlainConsole } from '../plain-console.ts'
import { helloFolder, packageIn } from '../small-extensions.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const manyExtensions = 50
const openedApps = 8

interface Boots {
  cold: Boot[]
  warm: Boot[]
}

/** What it costs that apps come as extensions: to the console's files, to its boot, and to who opens one. */
export async function measureExtensions(bench: Workbench, pairs: number): Promise<Row[]> {
  const plainFolder = join(bench.folder, 'plain-console')
  await buildPlainConsole(plainFolder)
  const without = await startWithExtensions(bench, 0)
  const withMany = await startWithExtensions(bench, manyExtensions)
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
  try {
    return [
      ...(await sharedModuleRows(browser, without, plainFolder)),
      await helloRow(without),
      ...(await bootRows(browser, { without, withMany }, pairs)),
      ...(await openingRows(browser, withMany)),
    ]
  } finally {
    await browser.close()
  }
}

/** What login and frame load, beside a build that shares nothing. */
async function sharedModuleRows(browser: Browser, side: Side, plainFolder: string): Promise<Row[]> {
  const folders = { ours: join(root, 'apps/console/dist'), floor: plainFolder }
  const rows: Row[] = []
  for (const name of ['login page', 'console frame'] as const) {
    const load = async (build: keyof typeof folders) => {
      const loaded = await loadedFiles(browser, {
        url: side.url,
        folder: folders[build],
        isElsewhere: build === 'floor',
        ...(name === 'login page'
          ? { storage: nothingStored, shown: 'input' }
          : { storage: side.storage, shown: tiles }),
      })
      if (name === 'console frame') side.storage = loaded.storage
      return loaded
    }
    const ours = await load('ours')
    const floor = await load('floor')
    rows.push(
      {
        name: `${name} with shared modules, JS + CSS`,
        unit: 'kB',
        ours: [ours.scriptAndStyleBytes / 1000],
        floor: [floor.scriptAndStyleBytes / 1000],
        bar: { kind: 'times the floor', factor: 1, plus: 6 },
        note: 'floor: the console built without them',
      },
      {
        name: `${name} with shared modules, document`,
        unit: 'kB',
        ours: [ours.documentBytes / 1000],
        floor: [floor.documentBytes / 1000],
        note: 'the import map has a digest of each script of the console',
      },
    )
  }
  return rows
}

async function helloRow({ url }: Side): Promise<Row> {
  const hello = await packageIn(helloFolder)
  const base = `${url}/extensions/hello/${hello.digest.slice(0, 16)}`
  const files = Object.keys(hello.manifest.files)
  const sizes = await Promise.all(files.map((path) => travelledBytes(`${base}/${path}`)))
  return {
    name: 'a small extension (hello)',
    unit: 'kB',
    ours: [sizes.reduce((sum, size) => sum + size, 0) / 1000],
    bar: { kind: 'at most', value: 2 },
    note: `its ${files.length} files, brotli`,
  }
}

function travelledBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      response.once('error', reject)
      response.once('end', () => {
        if (response.statusCode === 200 && response.headers['content-encoding'] === 'br') resolve(size)
        else reject(new Error(`${url} did not come as brotli: ${response.statusCode}`))
      })
    })
    asked.once('error', reject)
  })
}

async function bootRows(
  browser: Browser,
  sides: { without: Side; withMany: Side },
  pairs: number,
): Promise<Row[]> {
  const nearby = await bootInTurn(browser, sides, pairs, false)
  const distant = await bootInTurn(browser, sides, pairs, true)
  const all = [nearby, distant].flatMap(({ withMany }) => [...withMany.cold, ...withMany.warm])
  return [
    ...[
      { boots: nearby, isSlowNetwork: false },
      { boots: distant, isSlowNetwork: true },
    ].flatMap(({ boots, isSlowNetwork }) =>
      (['cold', 'warm'] as const).flatMap((cache) =>
        (['home', 'apps'] as const).map((mark) => bootRow(boots, { cache, mark, isSlowNetwork })),
      ),
    ),
    ...(['cold', 'warm'] as const).map(
      (cache): Row => ({
        name: `${manyExtensions} extensions, requests of the boot, ${cache} cache`,
        unit: '',
        ours: nearby.withMany[cache].map(({ requests }) => requests),
        floor: nearby.without[cache].map(({ requests }) => requests),
      }),
    ),
    {
      name: `${manyExtensions} extensions, code beyond their entries at the boot`,
      unit: '',
      ours: [all.flatMap(({ extensionFiles }) => extensionFiles.filter((path) => !isEntry(path))).length],
      bar: { kind: 'at most', value: 0 },
      note: `files, ${all.length} boots, ${Math.min(...all.map((boot) => boot.extensionFiles.length))} entries each`,
    },
  ]
}

/** Not only a low count, but the entries and nothing else: as the build names them. */
const isEntry = (path: string) => /\/entry-[\w-]+\.js$/.test(path)

interface BootKind {
  cache: 'cold' | 'warm'
  mark: 'home' | 'apps'
  isSlowNetwork: boolean
}

function bootRow(
  { withMany, without }: { withMany: Boots; without: Boots },
  { cache, mark, isSlowNetwork }: BootKind,
): Row {
  const place = mark === 'home' ? 'home page' : 'tiles'
  return {
    name: `${manyExtensions} extensions, boot to the ${place}, ${cache} cache${isSlowNetwork ? ', Fast 4G' : ''}`,
    unit: 'ms',
    ours: withMany[cache].map((boot) => boot[mark]),
    floor: without[cache].map((boot) => boot[mark]),
    bar: { kind: 'times the floor', factor: 1, plus: 150 },
    note: 'CPU 4x slower; floor: Pult without them',
  }
}

/** A B, A B, … after one of each that does not count. */
async function bootInTurn(
  browser: Browser,
  sides: { without: Side; withMany: Side },
  pairs: number,
  isSlowNetwork: boolean,
) {
  const boots = { without: { cold: [], warm: [] } as Boots, withMany: { cold: [], warm: [] } as Boots }
  for (let pair = -1; pair < pairs; pair += 1) {
    for (const name of ['without', 'withMany'] as const) {
      const side = sides[name]
      const { cold, warm, storage } = await bootTwice(browser, side.url, {
        storage: side.storage,
        isSlowNetwork,
      })
      // Every start gets a new token.
      side.storage = storage
      for (const { extensionFiles } of [cold, warm]) {
        const missing = side.extensionIds.filter(
          (id) => !extensionFiles.some((path) => path.startsWith(`/extensions/${id}/`)),
        )
        if (missing.length > 0) throw new Error(`The console did not load ${missing.join(', ')}`)
      }
      if (pair < 0) continue
      boots[name].cold.push(cold)
      boots[name].warm.push(warm)
    }
  }
  return boots
}

async function openingRows(browser: Browser, side: Side): Promise<Row[]> {
  const { first, again } = await openApps(
    browser,
    side.url,
    side.storage,
    side.extensionIds.slice(0, openedApps),
  )
  return [
    {
      name: 'opening an app whose code is there',
      unit: 'ms',
      ours: again,
      bar: { kind: 'at most', value: 100 },
      note: 'CPU 4x slower; from the click on the tile to the first frame with its content',
    },
    { name: 'opening an app for the first time', unit: 'ms', ours: first, note: 'CPU 4x slower' },
  ]
}
