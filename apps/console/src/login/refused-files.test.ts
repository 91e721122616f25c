import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

test('NCEAS/metacatui#110 a file that is dropped on the sign-in page or a page of a link is refused, so that typed input stays', async () => {
  const server = await testServer({ withConsole: true })
  for (const path of ['/', '/bift']) {
    const { page } = await openConsole(server, { path })
    const field = page.getByRole('textbox').first()
    await expectPage(field).toBeVisible()
    await field.fill('ada')
    const isRefused = await field.evaluate((target) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['1'], 'plan.pdf'))
      // Returns false if a handler prevents the default: the browser would open the file.
      const drag = (type: string) =>
        !target.dispatchEvent(
          new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }),
        )
      return [drag('dragover'), drag('drop')]
    })
    expect(isRefused).toEqual([true, true])
    await expectPage(field).toHaveValue('ada')
  }
})
