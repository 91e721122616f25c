import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api-error.ts'
import type { FileUploadOptions } from '../files/use-file-upload.ts'
import { type AppHost, AppHostProvider, type FileSender } from '../host.ts'
import { failure } from '../testing/answers.ts'
import { givenFile } from '../testing/given.ts'
import { appOf, createTestHost, type RenderAppOptions } from '../testing/render-app.tsx'
import { FileUpload } from './FileUpload.tsx'

type How = Parameters<FileSender['send']>[0]

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** Shows an upload field whose transfers the test performs. */
function show(given: Partial<FileUploadOptions> = {}, options: RenderAppOptions = {}) {
  const sends: { file: File; how: How; done: PromiseWithResolvers<ReturnType<typeof givenFile>> }[] = []
  const forgotten: string[] = []
  const held = new Set<unknown>()
  const reached = Promise.withResolvers<void>()
  const { host } = createTestHost(appOf({ routes: [] }, options), options)
  const sendFile: AppHost['sendFile'] = (file) => ({
    send: (how) => {
      const done = Promise.withResolvers<ReturnType<typeof givenFile>>()
      sends.push({ file, how, done })
      return done.promise
    },
    deliver: async (call, { onWaiting }) => {
      try {
        await call()
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'NETWORK') throw error
        onWaiting(true)
        await reached.promise
        onWaiting(false)
        await call()
      }
    },
    forget: () => void forgotten.push(file.name),
  })
  const holdUnsavedInput: AppHost['holdUnsavedInput'] = (what) => {
    held.add(what)
    return () => void held.delete(what)
  }
  render(
    <AppHostProvider value={{ ...host, sendFile, holdUnsavedInput }}>
      <FileUpload accept="video/mp4" onUploaded={() => {}} {...given} />
    </AppHostProvider>,
  )
  const choose = (...names: string[]) =>
    act(async () => {
      const files = names.map((name) => new File([new Uint8Array(10_000_000)], name, { type: 'video/mp4' }))
      const input = document.querySelector('input[type=file]') as HTMLInputElement
      Object.defineProperty(input, 'files', { configurable: true, value: files })
      fireEvent.change(input)
    })
  /** Lets a second pass after which this share has been sent. */
  const pass = (share: number) =>
    act(async () => {
      sends.at(-1)?.how.onProgress?.(share)
      await vi.advanceTimersByTimeAsync(1000)
    })
  return { sends, forgotten, held, choose, pass, reached }
}

const status = () => screen.getByRole('status').textContent

test('FILE-02 an upload shows bytes, rate and remaining time, and announces them only every half minute', async () => {
  const { choose, pass, sends } = show({ multiple: true }, { locale: 'de-DE' })
  await choose('hall.mp4', 'yard.mp4')
  for (const share of [0, 0.1, 0.2]) await pass(share)
  expect(screen.getByText('Datei 1 von 2')).toBeTruthy()
  expect(screen.getByText(/^2 MB von 10 MB · 1 MB\/s · noch 10\s?s$/)).toBeTruthy()
  expect(status()).toBe('hall.mp4 wird hochgeladen')
  for (let second = 0; second < 28; second += 1) await pass(0.3)
  expect(status()).toMatch(/^hall\.mp4 wird hochgeladen 30 %, 3 MB von 10 MB/)
  await act(async () => sends[0]?.how.onWaiting?.(true))
  expect(screen.getByText('Wartet auf die Verbindung')).toBeTruthy()
  expect(status()).toBe('hall.mp4: Wartet auf die Verbindung')
})

test('FILE-02 a continued upload does not count the bytes of the earlier one in its rate', async () => {
  const { choose, pass } = show()
  await choose('hall.mp4')
  for (const share of [0.6, 0.6, 0.65]) await pass(share)
  expect(screen.getByText(/^6,5 MB of 10 MB · 250 kB\/s/)).toBeTruthy()
})

test('wavelog#3718 a final refusal has no retry and does not stop the files after it', async () => {
  const { choose, sends } = show({ multiple: true })
  await choose('lie.mp4', 'hall.mp4')
  await act(async () => sends[0]?.done.reject(failure('CONTENT_MISMATCH')))
  await act(async () => sends[1]?.done.reject(failure('PROJECT_FULL')))
  expect(screen.getByRole('alert').textContent).toContain('lie.mp4')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Retry' })))
  expect(sends.map(({ file }) => file.name)).toEqual(['lie.mp4', 'hall.mp4', 'hall.mp4'])
  await act(async () => sends[2]?.done.reject(failure('IMAGE_TOO_LARGE')))
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('immich#6143 leaving asks while files are sent, but not while the app takes the last one', async () => {
  const seen: number[] = []
  const { choose, sends, held, forgotten } = show({ onUploaded: () => void seen.push(held.size) })
  expect(held.size).toBe(0)
  await choose('hall.mp4')
  expect([...held]).toEqual(['upload'])
  await act(async () => sends[0]?.done.resolve(givenFile(sends[0].file)))
  expect([seen, held.size, forgotten]).toEqual([[0], 0, []])
  await choose('yard.mp4')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Abort' })))
  expect([held.size, forgotten]).toEqual([0, ['yard.mp4']])
})

test('strapi#24828 a stored file waits until the app can take it, and leaving asks meanwhile', async () => {
  const faults = [new ApiError({ code: 'NETWORK', status: 0, message: 'The server cannot be reached' })]
  const taken: string[] = []
  const onUploaded = (file: { name: string }) => {
    const fault = faults.shift()
    if (fault !== undefined) throw fault
    taken.push(file.name)
  }
  const { choose, sends, held, reached } = show({ onUploaded })
  await choose('hall.mp4')
  await act(async () => sends[0]?.done.resolve(givenFile(sends[0].file)))
  expect(status()).toBe('hall.mp4: Waiting for the connection')
  expect([taken, held.size]).toEqual([[], 1])
  await act(async () => reached.resolve())
  expect([taken, held.size, screen.queryByRole('alert')]).toEqual([['hall.mp4'], 0, null])
})

test('immich#6143 a place lists its interrupted uploads, which the user can discard', async () => {
  const upload = { id: 'a', name: 'hall.mp4', size: 9, percent: 42, project: null, place: 'wall video/mp4' }
  const unfinishedUploads = [
    upload,
    { ...upload, id: 'b', name: 'other-place.mp4', place: 'wall image/*' },
    { ...upload, id: 'c', name: 'other-project.mp4', project: 'p' },
  ]
  show({}, { unfinishedUploads, appId: 'wall' })
  expect(screen.getByText('1 upload was interrupted')).toBeTruthy()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'hall.mp442 %Discard',
  ])
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Discard hall.mp4' })))
  expect(screen.queryByText('1 upload was interrupted')).toBeNull()
})
