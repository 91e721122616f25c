import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { projectEndpoints, taskDriverEndpoints, taskEndpoints, taskTokenEndpoints } from '@pult/contract'
import { expectPage, extensionFolder, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

/* A user with only a keyboard, with realistic key presses and animations enabled. */

const extensionsFolder = await extensionFolder({
  render: {
    manifest: {
      id: 'render',
      products: [{ sku: 'render', label: 'Render', roles: [] }],
      tasks: [{ kind: 'report', label: 'Report' }],
    },
  },
})
const details = 'project-details'
await cp(join(import.meta.dirname, '../dist/extensions', details), join(extensionsFolder, details), {
  recursive: true,
})
const server = await testServer({ withConsole: true, extensionsFolder })
const { given } = server

const owner = await given.person({ firstname: 'Olga', lastname: 'Ohm' })
await given.project(owner, { label: 'Hall 7', products: ['project'] })
const { projectId } = await given.project(owner, { label: 'Hall 8', products: ['project', 'render'] })

/** Creates a task with a service's token. The task keeps running. */
async function longTask(title: string): Promise<string> {
  const { token } = (
    await owner.call(taskTokenEndpoints.create, {
      params: { projectId },
      body: { label: 'Render service', types: ['render/*'] },
    })
  ).body
  server.watchSecret(token)
  const body = { type: 'render/report', kind: 'info', title, createdBy: owner.personId } as const
  const { task, fence } = (
    await server.call(taskDriverEndpoints.create, { params: { projectId }, body }, token)
  ).body
  const params = { projectId, taskId: task._id }
  await server.call(taskDriverEndpoints.report, { params, body: { fence, progress: [3, 100] } }, token)
  return task._id
}

function keysOf(page: Page) {
  /** Holds the key as long as a user does, because events can occur between key down and key up. */
  const press = (key: string) => page.keyboard.press(key, { delay: 110 })
  const isFocused = (target: Locator) =>
    target.evaluateAll((elements) => elements.some((element) => element === document.activeElement))
  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Presses Tab until the element has the focus. Fails after 40 steps. */
    async walkTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
      await expectPage(target).toBeVisible()
      for (let steps = 0; steps < 40 && !(await isFocused(target)); steps += 1) await page.keyboard.press(key)
      await expectPage(target).toBeFocused()
    },
  }
}

test('SHELL-01 SHELL-07 LOGIN-06 DEC-17 DEC-31 TASK-04 by keyboard alone: sign in, switch project, snap an app in a window, save with Ctrl+S, abort a task, sign out', async () => {
  const taskId = await longTask('Winter report')
  const { page, complaints } = await openConsole(server, { reducedMotion: false })
  const { press, type, walkTo } = keysOf(page)
  const header = page.getByRole('banner')

  // Sign in.
  await expectPage(page.getByPlaceholder('Username / E-Mail')).toBeFocused()
  await type(owner.email)
  await press('Enter')
  await expectPage(page.getByRole('button', { name: 'Password' })).toBeFocused()
  await press('Enter')
  await expectPage(page.getByLabel('Password', { exact: true })).toBeFocused()
  await type(owner.password)
  await press('Enter')
  await expectPage(page.getByRole('heading', { name: 'Hall 7' })).toBeVisible()

  // Switch the project.
  const switcher = (name: RegExp) => page.getByRole('button', { name })
  await walkTo(switcher(/^Active project: Hall 7/))
  await press('Enter')
  await expectPage(page.getByRole('combobox', { name: 'Find a project' })).toBeFocused()
  await expectPage(page.getByRole('option')).toHaveCount(2)
  await press('ArrowDown')
  await expectPage(page.getByRole('option', { selected: true })).toContainText('Hall 8')
  await press('Enter')
  // The page reloads, with the focus at its start.
  await expectPage(page.getByRole('heading', { name: 'Hall 8' })).toBeVisible()
  await expectPage(switcher(/^Active project: Hall 8/)).toBeVisible()

  // Open an app in a window and snap it.
  const app = page.getByRole('dialog', { name: /Project Details/ })
  await walkTo(page.getByRole('main').getByRole('button', { name: 'Open Project Details in a window' }))
  await press('Enter')
  await expectPage(app).toBeFocused()
  await press('ControlOrMeta+Alt+ArrowRight')
  await expectPage.poll(() => app.boundingBox()).toMatchObject({ x: 640, width: 640 })

  // Save in it.
  await walkTo(app.getByRole('link', { name: 'Settings' }))
  await press('Enter')
  const label = app.getByLabel('Label', { exact: true })
  await expectPage(label).toBeVisible()
  await walkTo(label)
  await press('ControlOrMeta+a')
  await type('Hall 8 North')
  await press('ControlOrMeta+s')
  await expectPage(switcher(/^Active project: Hall 8 North/)).toBeVisible()
  await expectPage(label).toBeFocused()
  expect((await owner.call(projectEndpoints.read, { params: { projectId } })).body.label).toBe('Hall 8 North')

  // Abort a task: leave the window for the page and go to its header.
  await press('F6')
  await expectPage(page.getByRole('main')).toBeFocused()
  const tasks = header.getByRole('button', { name: 'Tasks, 1 running' })
  await walkTo(tasks, 'Shift+Tab')
  await press('Enter')
  const panel = page.getByRole('dialog', { name: 'Tasks' })
  await expectPage(panel).toBeVisible()
  await walkTo(panel.getByRole('button', { name: 'Abort: Winter report' }))
  await press('Enter')
  const question = page.getByRole('alertdialog')
  await expectPage(question.getByRole('button', { name: 'Keep running' })).toBeFocused()
  await walkTo(question.getByRole('button', { name: 'Abort' }))
  await press('Enter')
  await expectPage(panel.getByRole('button', { name: 'Archive: Winter report' })).toBeFocused()
  const params = { projectId, taskId }
  expect((await owner.call(taskEndpoints.read, { params })).body.isAborted).toBe(true)
  await press('Escape')
  await expectPage(header.getByRole('button', { name: 'Tasks', exact: true })).toBeFocused()

  // Close the window: Esc applies to the topmost layer that contains the focus.
  await press('F6')
  await expectPage(app).toBeFocused()
  await press('Escape')
  await expectPage(app).toHaveCount(0)

  // Sign out.
  const account = header.getByRole('button', { name: /^Your account/ })
  await walkTo(account, 'Shift+Tab')
  for (const key of ['Enter', 'Space', 'ArrowDown']) {
    await press(key)
    await expectPage(
      page.getByRole('dialog', { name: 'Your account' }).getByRole('link', { name: 'Profile' }),
    ).toBeFocused()
    await press('Escape')
    await expectPage(account).toBeFocused()
  }
  await press('Enter')
  await expectPage(
    page.getByRole('dialog', { name: 'Your account' }).getByRole('link', { name: 'Profile' }),
  ).toBeFocused()
  await press('End')
  await expectPage(
    page.getByRole('dialog', { name: 'Your account' }).getByRole('button', { name: 'Logout' }),
  ).toBeFocused()
  await press('Enter')
  await expectPage(page.getByPlaceholder('Username / E-Mail')).toBeFocused()
  expect(await page.evaluate(() => localStorage.getItem('pult.token'))).toBeNull()
  expect(complaints).toEqual([])
})
