import { projectEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

/** Replaces each text node as Chrome's page translation does. */
function translate(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Node[] = []
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const text of texts) {
    if (text.textContent?.trim() === '' || text.parentElement?.closest('script, style, font')) continue
    const outer = document.createElement('FONT')
    const inner = document.createElement('FONT')
    inner.textContent = text.textContent
    outer.append(inner)
    text.parentNode?.replaceChild(outer, text)
  }
}

test('xibo#3914 a renamed project shows its new name on translated pages, and translated pages can be left', async () => {
  const ada = await given.person({ isRoot: true })
  const { projectId } = await given.project(ada, { label: 'Messe 0', products: ['project'] })
  const { page, complaints } = await openConsole(server, { as: ada })
  const navigation = page.getByRole('navigation').first()
  let count = 0
  for (const path of [
    '/',
    '/projects',
    `/app/project-details?project=${projectId}`,
    '/organisations',
    '/root',
  ]) {
    await page.goto(path)
    await page.locator('#content h1').waitFor()
    await page.waitForLoadState('networkidle')
    await page.evaluate(translate)
    const before = `Messe ${count}`
    await expectPage(page.locator('body')).toContainText(before)
    count += 1
    const label = `Messe ${count}`
    expect(await ada.call(projectEndpoints.update, { params: { projectId }, body: { label } })).toSucceed()
    await expectPage(page.locator('body'), path).toContainText(label)
    await expectPage(page.locator('body'), path).not.toContainText(before)
    await page.evaluate(translate)
    await navigation.getByRole('link', { name: path === '/' ? 'Projects' : 'Home', exact: true }).click()
    await expectPage(page.locator('#content h1')).not.toHaveText('')
    await expectPage(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  }
  expect(complaints).toEqual([])
})

/** The ways in which translators replace a text: directly, or with the element before or behind it. */
test.each(['replaceChild', 'before', 'after'] as const)(
  'xibo#3914 React changes and removes a text that a translator has replaced: %s',
  async (way) => {
    const { page } = await openConsole(server, { as: await given.person() })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const seen = await page.evaluate(async (how) => {
      const parent = document.createElement('p')
      const [fixed, text, last] = ['Open since ', '12:00', '!'].map((each) => new Text(each)) as [
        Text,
        Text,
        Text,
      ]
      parent.append(fixed, text, last)
      document.body.append(parent)
      const replace = (node: Text) => {
        const font = document.createElement('FONT')
        font.textContent = `[${node.data}]`
        if (how === 'replaceChild') parent.replaceChild(font, node)
        else {
          node[how](font)
          node.remove()
        }
      }
      const observed = () => new Promise((done) => setTimeout(done))
      const shown: (string | null)[] = []
      replace(text)
      replace(last)
      await observed()
      text.nodeValue = '13:00'
      await observed()
      shown.push(parent.textContent)
      replace(text)
      await observed()
      parent.insertBefore(new Text(' about '), last)
      parent.removeChild(text)
      shown.push(parent.textContent)
      return shown
    }, way)
    expect(seen).toEqual(['Open since 13:00[!]', 'Open since  about [!]'])
  },
)
