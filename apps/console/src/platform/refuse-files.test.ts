import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })

test('dropzone/dropzone#1101 files are refused beside an area that takes them, which is marked while they are dragged', async () => {
  const as = await server.given.person()
  const { page, complaints } = await openConsole(server, { as, path: '/settings/stream-decks' })
  await expectPage(page.getByRole('main').locator('input[type=file]')).toBeAttached()
  await page.evaluate(() => {
    const field = Object.assign(document.createElement('input'), { type: 'file' })
    const area = document.querySelector('main input[type=file]')?.parentElement
    const places = { header: document.querySelector('header'), area, field }
    document.body.append(field)
    /** Returns whether the page takes the event from the browser, which would open the file. */
    const drag = (type: string, place: keyof typeof places, isFile = true) => {
      const dataTransfer = new DataTransfer()
      if (isFile) dataTransfer.items.add(new File(['x'], 'hall.png', { type: 'image/png' }))
      else dataTransfer.setData('text/plain', 'x')
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
      places[place]?.dispatchEvent(event)
      return event.defaultPrevented
    }
    Object.assign(globalThis, { drag })
  })
  const drag = (...input: (string | boolean)[]) => page.evaluate<boolean>(`drag(...${JSON.stringify(input)})`)
  const isMarked = () => page.evaluate(() => document.documentElement.dataset['filesDragged'] !== undefined)

  expect(await drag('dragenter', 'header', false)).toBe(false)
  expect(await drag('dragover', 'header', false)).toBe(false)
  expect(await isMarked()).toBe(false)
  await drag('dragenter', 'header')
  expect(await isMarked()).toBe(true)
  expect(await drag('dragover', 'header')).toBe(true)
  // Files have left the window.
  await drag('dragleave', 'header')
  expect(await isMarked()).toBe(false)
  await drag('dragover', 'header')
  await page.mouse.move(20, 20)
  await expect.poll(isMarked).toBe(false)
  await drag('dragover', 'header')
  expect(await drag('drop', 'header')).toBe(true)
  expect(await isMarked()).toBe(false)
  await expectPage(page.getByText('hall.png')).toHaveCount(0)

  // The browser itself puts a file into a field.
  expect(await drag('dragover', 'field')).toBe(false)
  expect(await drag('drop', 'area')).toBe(true)
  await expectPage(page.getByText(/hall\.png/).first()).toBeVisible()
  expect(complaints).toEqual([])
})
