import { expectPage, extensionFolder, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const app = {
  id: 'plant',
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: 'Plant',
  icon: 'box',
  productSku: 'works',
}

const extensionsFolder = await extensionFolder({
  works: {
    manifest: {
      id: 'works',
      products: [{ sku: 'works', label: 'Works', roles: [] }],
      apps: [app],
    },
    files: {
      'entry.js': `
        import { createElement as h, useState } from 'react'
        import { useHotkey } from '@pult/sdk'
        function Plant() {
          const [count, setCount] = useState(0)
          useHotkey('mod+shift+e', () => setCount(count + 1))
          return h('output', null, 'Counted ' + count)
        }
        export default { register: ({ registerApp, registerAction }) => {
          registerApp({ id: 'plant', loader: async () => ({ default: { routes: [{ name: 'app-plant', path: '', Component: Plant }] } }) })
          registerAction({ id: 'greet', label: 'Greet', shortcut: 'mod+shift+y', run: ({ notify }) => notify({ title: 'Hello' }) })
        } }`,
    },
  },
})

const modifiers = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const

/** A key as it is with a layout: what it types, and its place. */
type Key = readonly [key: string, code: string]

/** The keys with the functions of K, G, P, E, Y, S, / and ?. */
const layouts: Record<string, Record<'k' | 'g' | 'p' | 'e' | 'y' | 's' | 'slash' | 'help', Key>> = {
  Russian: {
    k: ['л', 'KeyK'],
    g: ['п', 'KeyG'],
    p: ['з', 'KeyP'],
    e: ['У', 'KeyE'],
    y: ['Н', 'KeyY'],
    s: ['ы', 'KeyS'],
    slash: ['/', 'Backslash'],
    help: ['?', 'Digit7'],
  },
  Greek: {
    k: ['κ', 'KeyK'],
    g: ['γ', 'KeyG'],
    p: ['π', 'KeyP'],
    e: ['Ε', 'KeyE'],
    y: ['Υ', 'KeyY'],
    s: ['σ', 'KeyS'],
    slash: ['/', 'Slash'],
    help: ['?', 'Slash'],
  },
  Arabic: {
    k: ['ن', 'KeyK'],
    g: ['ل', 'KeyG'],
    p: ['ح', 'KeyP'],
    e: ['ُ', 'KeyE'],
    y: ['غ', 'KeyY'],
    s: ['س', 'KeyS'],
    slash: ['ظ', 'Slash'],
    help: ['؟', 'Slash'],
  },
  Hebrew: {
    k: ['ל', 'KeyK'],
    g: ['ע', 'KeyG'],
    p: ['פ', 'KeyP'],
    e: ['ק', 'KeyE'],
    y: ['ט', 'KeyY'],
    s: ['ד', 'KeyS'],
    slash: ['/', 'KeyQ'],
    help: ['?', 'Slash'],
  },
  Dvorak: {
    k: ['k', 'KeyV'],
    g: ['g', 'KeyU'],
    p: ['p', 'KeyR'],
    e: ['E', 'KeyD'],
    y: ['Y', 'KeyT'],
    s: ['s', 'Semicolon'],
    slash: ['/', 'BracketLeft'],
    help: ['?', 'BracketLeft'],
  },
}

describe('shortcuts with keyboard layouts', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const grace = await server.given.person({ firstname: 'Grace' })
  await server.given.project(grace, { label: 'Hall 7', products: ['works'] })

  async function open(path: string) {
    const opened = await openConsole(server, { as: { token: await grace.openSession() }, path })
    await expectPage(opened.page.getByRole('banner')).toBeVisible()
    return { ...opened, ...(await keysOf(opened)) }
  }

  async function keysOf({ page, context }: OpenedConsole) {
    const input = await context.newCDPSession(page)
    /** Presses a key with the events that the browser sends for this layout. */
    async function press([key, code]: Key, ...held: (keyof typeof modifiers)[]) {
      const event = { key, code, modifiers: held.reduce((sum, name) => sum + modifiers[name], 0) }
      const text = held.includes('Control') ? {} : { text: key }
      await input.send('Input.dispatchKeyEvent', { type: 'keyDown', ...text, ...event })
      await input.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
    }
    return { press, input }
  }

  test.each(Object.entries(layouts))(
    'SHELL-07 every kind of shortcut works in a %s layout',
    async (_name, layout) => {
      const { page, press, complaints } = await open('/app/plant')
      await expectPage(page.getByText('Counted 0')).toBeVisible()
      // A hotkey of an app, and an action of an extension.
      await press(layout.e, 'Control', 'Shift')
      await expectPage(page.getByText('Counted 1')).toBeVisible()
      await press(layout.y, 'Control', 'Shift')
      await expectPage(page.getByText('Hello')).toBeVisible()

      // The palette, and the letters that are typed before its code has loaded.
      const palette = page.getByRole('dialog', { name: 'Search and commands' })
      await press(layout.k, 'Control')
      await expectPage(palette.getByRole('combobox')).toBeFocused()
      await page.keyboard.press('Escape')
      await expectPage(palette).toHaveCount(0)
      await press(layout.help, 'Shift')
      await expectPage(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expectPage(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0)

      // Single letters.
      await press(layout.g)
      await press(layout.p)
      await expectPage(page).toHaveURL('/projects')
      const search = page.getByRole('searchbox', { name: 'Search projects' })
      await expectPage(search).toBeVisible()
      await press(layout.slash, ...(layout.slash[1] === 'Backslash' ? (['Shift'] as const) : []))
      await expectPage(search).toBeFocused()
      // In a field they are text.
      await press(layout.p)
      await expectPage(search).toHaveValue(layout.p[0])
      await expectPage(page).toHaveURL(/\/projects/)

      // Saving from a field.
      await page.goto('/me/profile')
      await page.getByLabel('First name').fill(`Grace ${layout.k[0]}`)
      await press(layout.s, 'Control')
      await expectPage(page.getByText('Profile updated', { exact: true })).toBeVisible()
      expect(complaints).toEqual([])
    },
  )

  test('SHELL-07 Dvorak keys keep their letters in any place', async () => {
    const { page, press } = await open('/app/plant')
    await expectPage(page.getByText('Counted 0')).toBeVisible()
    // Dvorak has T on the key of K, and the full stop on the key of E.
    await press(['t', 'KeyK'], 'Control')
    await press(['>', 'KeyE'], 'Control', 'Shift')
    await press(layouts['Dvorak']?.e ?? ['', ''], 'Control', 'Shift')
    await expectPage(page.getByText('Counted 1')).toBeVisible()
    await expectPage(page.getByRole('dialog')).toHaveCount(0)
  })

  test('SHELL-07 keys of an input method reach no shortcut, list or field', async () => {
    const { page, input } = await open('/projects')
    const search = page.getByRole('searchbox', { name: 'Search projects' })
    await expectPage(search).toBeVisible()
    /** Presses a key that the input method handles, as browsers report it. */
    const handled = async (key: string, code: string, held = 0) =>
      input.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        key,
        code,
        modifiers: held,
        windowsVirtualKeyCode: 229,
      })
    // The key that begins a composition is not yet marked as a part of it.
    await handled('c', 'KeyC')
    await handled('/', 'Slash')
    await expectPage(search).not.toBeFocused()
    await page.keyboard.press('/')
    await expectPage(search).toBeFocused()

    await input.send('Input.imeSetComposition', { text: 'ほんだ', selectionStart: 3, selectionEnd: 3 })
    await expectPage(search).toHaveValue('ほんだ')
    // Elsewhere, Esc empties the field, the arrow moves to the list, and Enter opens an entry.
    for (const key of ['Escape', 'ArrowDown', 'Enter']) await handled(key, key)
    await handled('k', 'KeyK', modifiers.Control)
    await input.send('Input.insertText', { text: '本田' })
    await expectPage(search).toHaveValue('本田')
    await expectPage(search).toBeFocused()
    await expectPage(page).toHaveURL(/\/projects/)
    await expectPage(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expectPage(search).toHaveValue('')
  })
})
