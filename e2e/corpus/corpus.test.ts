import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  fileEndpoints,
  type MediaItem,
  mediaEndpoints,
  projectTaskEndpoints,
  type StoredFile,
  storedFile,
  taskEndpoints,
} from '@pult/contract'
import {
  type CorpusFile,
  corpus,
  type GivenPerson,
  onFileEnd,
  openConsole,
  openStudio,
  sized,
  taskEnd,
  testServer,
  upload,
  workerBrowser,
} from '@pult/testkit'
import { expect, test } from 'vitest'
import { type Look, lookAt, unlike } from './look-at.ts'

const server = await testServer({ withConsole: true })
const { given } = server

/** Files of the short form, which need no other program. */
const few = new Set([
  'IMG_0006.JPG',
  'WhatsApp Image 2026-11-28 at 10.00.00.jpeg',
  'Foto.png',
  'Download.jpg',
  'Ladeanzeige.png',
  'giphy.gif',
  'Sticker.webp',
  'Gedreht.png',
  'Teaser.avif',
  'Unbenannt-1.svg',
  'Aufnahme #1.wav',
  'VP8.webm',
  'Archiv.zip',
  'Mappe1.csv',
])

/** A file of the corpus with its bytes, and its results in Chromium and in the product. */
interface Trial {
  file: CorpusFile
  bytes: Buffer
  /** How Chromium shows the original. */
  original: Look
  /** The code of a refusal, or what the server stored. */
  stored: StoredFile | string
  medium: MediaItem | string | null
}

async function bytesOfFiles(files: readonly CorpusFile[]): Promise<[CorpusFile, Buffer][]> {
  const studio = await openStudio()
  try {
    const made: [CorpusFile, Buffer][] = []
    for (const file of files) {
      const bytes = await file.source.make(studio)
      if (bytes !== null) made.push([file, bytes])
    }
    const missing = files.length - made.length
    if (missing > 0)
      console.log(`${missing} files of the corpus need programs that are not available: skipped`)
    return made
  } finally {
    await studio.close()
  }
}

/** Opens a page of the server's origin that shows the files as they are, without the product. */
async function openBarePage(files: ReadonlyMap<string, Buffer>): Promise<Page> {
  const context = await (await workerBrowser()).newContext()
  onFileEnd(() => context.close())
  const page = await context.newPage()
  await page.route(`${server.url}/corpus/**`, async (route) => {
    const name = decodeURIComponent(new URL(route.request().url()).pathname.slice('/corpus/of-'.length))
    const body = files.get(name)
    await route.fulfill(body === undefined ? { contentType: 'text/html', body: '<!doctype html>' } : { body })
  })
  await page.goto(`${server.url}/corpus/`)
  return page
}

const isMedium = ({ type }: CorpusFile) => type === '' || /^(?:image|audio|video)\//.test(type)

/** Uploads a file as the console does. Returns the stored file or the code of the refusal. */
async function sent(
  person: GivenPerson,
  { project, name, type, bytes }: { project: string; name: string; type: string; bytes: Buffer },
): Promise<StoredFile | string> {
  const contentType = type === '' ? 'application/octet-stream' : type
  const { body, code } = await person.call(fileEndpoints.create, {
    body: { filename: name, contentType, size: bytes.length, project },
  })
  if (code !== undefined) return code
  const answer = await fetch(new URL(body.url, server.url), {
    method: 'PUT',
    headers: body.headers,
    body: new Uint8Array(bytes),
  })
  const reply = (await answer.json()) as { code?: string }
  return answer.ok ? storedFile.parse(reply) : (reply.code ?? String(answer.status))
}

async function mediumOf(
  person: GivenPerson,
  projectId: string,
  stored: StoredFile,
): Promise<MediaItem | string> {
  const { body, code } = await person.call(mediaEndpoints.create, {
    params: { projectId },
    body: { file: stored.filename },
  })
  if (code !== undefined) return code
  const params = { projectId, itemId: body._id }
  const read = async () => (await person.call(mediaEndpoints.read, { params })).body
  await expect.poll(async () => (await read()).state, { timeout: 60_000 }).not.toBe('processing')
  return read()
}

const stemOf = (name: string) => name.replace(/\.[^.]+$/, '')

/** Compares the download with the original. */
async function downloadFaults(person: GivenPerson, { file, bytes, stored }: Trial): Promise<string[]> {
  if (typeof stored === 'string') return []
  const { body } = await person.call(fileEndpoints.link, { params: { fileId: stored._id } })
  const answer = await fetch(new URL(body.url, server.url))
  const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
  const isSame = digest(new Uint8Array(await answer.arrayBuffer())) === digest(bytes)
  const disposition = answer.headers.get('content-disposition') ?? ''
  const name = decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1] ?? '')
  return [
    ...(isSame ? [] : ['the download differs']),
    ...(disposition.startsWith('attachment;') ? [] : [`the download is ${disposition}`]),
    // The server may correct the extension of a misnamed file.
    ...(name === stored.name && stemOf(name) === stemOf(file.name.normalize('NFC'))
      ? []
      : [`the download is called ${name}`]),
    ...(answer.headers.get('x-content-type-options') === 'nosniff' ? [] : ['the download can be sniffed']),
    ...(answer.headers.get('content-security-policy')?.includes('sandbox')
      ? []
      : ['the download can run scripts']),
  ]
}

/** The faults in the acceptance of a file. */
function acceptanceFaults({ file, original, stored, medium }: Trial): string[] {
  const isShown = original.kind !== 'nothing'
  const isExpected = original.kind === file.shows || file.isLicensed === true
  const faults = isExpected ? [] : [`Chromium shows ${original.kind}, not ${file.shows}: correct the corpus`]
  if (typeof stored === 'string') {
    const isRight = !isShown && (file.refused as readonly string[] | undefined)?.includes(stored) === true
    return isRight ? faults : [...faults, `the upload is refused: ${stored}`]
  }
  if (!isShown || file.isOnlyFile === true) return faults
  if (typeof medium === 'string') return [...faults, `the medium is refused: ${medium}`]
  return medium?.state === 'failed' ? [...faults, 'its formats failed'] : faults
}

/** Compares the formats of a medium with the original. */
async function formatFaults(page: Page, { file, original, medium }: Trial): Promise<string[]> {
  if (medium === null || typeof medium === 'string' || original.kind !== 'picture') return []
  const faults: string[] = []
  for (const { name, mime, url, meta } of medium.source.formats) {
    const shown = await lookAt(page, { url, type: mime })
    faults.push(
      // The still formats are for programs that show no motion.
      ...unlike(original, { ...shown, frames: original.frames ?? 1 }, file).map(
        (fault) => `${name} (${mime}): ${fault}`,
      ),
    )
    if (meta.width !== shown.width || meta.height !== shown.height)
      faults.push(
        `${name}: ${meta.width} × ${meta.height} are announced, ${shown.width} × ${shown.height} are shown`,
      )
  }
  return faults
}

/** Compares the page of a medium in the console with the original. */
async function pageFaults(page: Page, { file, original, medium }: Trial): Promise<string[]> {
  if (medium === null || typeof medium === 'string' || original.kind === 'nothing') return []
  await page.goto(`${server.url}/app/media-library/${medium._id}`)
  const element = page.locator('main :is(picture img, video, audio)').first()
  await element.waitFor({ state: 'attached' })
  // The page shows a large animation by a still with a note, until the user plays it.
  if (medium.notes.includes('still')) {
    await page.getByRole('button', { name: 'Play animation' }).click()
    await page.waitForFunction(
      (url) => document.querySelector<HTMLImageElement>('main picture img')?.currentSrc.endsWith(url),
      medium.source.formats[0]?.url ?? '',
    )
  }
  return unlike(original, await lookAt(page, { element }), file).map((fault) => `on its page: ${fault}`)
}

/** Invites the people of a list, and compares their number. */
async function listFaults(person: GivenPerson, { file, bytes }: Trial): Promise<string[]> {
  if (file.people === undefined) return []
  // All lists together exceed the limit of invitations.
  await server.db.deleteFrom('attempt').execute()
  const { projectId: project } = await given.project(person)
  const name = await upload(server, person, {
    name: file.name,
    contentType: file.type,
    content: bytes,
    project,
  })
  const { body } = await person.call(projectTaskEndpoints.inviteAll, {
    params: { projectId: project },
    body: { file: name },
  })
  const task = await taskEnd(person, body)
  const { body: log } = await person.call(taskEndpoints.log, {
    params: { projectId: project, taskId: task._id },
  })
  const invited = log.items.filter(({ line }) => / invited as /.test(line)).length
  return invited === file.people
    ? []
    : [
        `${invited} of ${file.people} people are invited: ${task.error ?? log.items.map(({ line }) => line).join(', ')}`,
      ]
}

test('FILE-01 MEDIA-01 each file of the corpus is accepted, shown as Chromium shows its original, and downloaded unchanged', {
  tags: ['long'],
  timeout: 900_000,
}, async () => {
  const files = await bytesOfFiles(
    sized(
      corpus.filter(({ name }) => few.has(name)),
      corpus,
    ),
  )
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'media-library'] })
  const bare = await openBarePage(new Map(files.map(([{ name }, bytes]) => [name, bytes])))
  const { page, complaints } = await openConsole(server, {
    as: { token: await owner.openSession() },
    path: '/app/media-library',
    reducedMotion: false,
  })

  async function tried(file: CorpusFile, bytes: Buffer) {
    const original: Look = isMedium(file)
      ? await lookAt(bare, { url: `/corpus/of-${encodeURIComponent(file.name)}`, type: file.type })
      : { kind: 'nothing' }
    const stored = await sent(owner, { project: projectId, name: file.name, type: file.type, bytes })
    const mayBeMedium = isMedium(file) && file.isOnlyFile !== true
    const medium =
      typeof stored === 'string' || !mayBeMedium ? null : await mediumOf(owner, projectId, stored)
    const trial: Trial = { file, bytes, original, stored, medium }
    const faults = [
      ...acceptanceFaults(trial),
      ...(await formatFaults(bare, trial)),
      ...(await pageFaults(page, trial)),
      ...(await downloadFaults(owner, trial)),
      ...(await listFaults(owner, trial)),
    ]
    return { kind: original.kind, faults }
  }

  const lines: string[] = []
  const deviations: string[] = []
  for (const [file, bytes] of files) {
    const { kind, faults } = await tried(file, bytes).catch((error: unknown) => ({
      kind: 'unknown',
      faults: [`the trial failed: ${String(error)}`],
    }))
    const of = `${file.name} (${file.type || 'no type'}, ${file.writer})`
    lines.push(`${of}: ${kind}, ${faults.join('; ') || 'as the original'}`)
    deviations.push(...faults.map((fault) => `${file.name}: ${fault}`))
  }
  await keepTable(lines)
  expect(deviations).toEqual([])
  expect(complaints).toEqual([])
})

/** Keeps the result of each file for the reader of a long run. */
async function keepTable(lines: readonly string[]): Promise<void> {
  const folder = join(import.meta.dirname, '../../test-results')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'corpus.txt'), `${lines.join('\n')}\n`)
}
