import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('the notice in the header', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('DEC-46 offers a reload when the server runs a newer build, and only then', async () => {
    const { page, context } = await openConsole(server, { as: await given.person(), path: null })
    await page.goto('/')
    await expectPage(page.getByRole('banner')).toBeVisible()
    await expectPage(page.getByRole('button', { name: 'Reload' })).toHaveCount(0)

    await context.routeWebSocket('**/api/ws', (socket) => {
      const upstream = socket.connectToServer()
      upstream.onMessage((data) => {
        const message = JSON.parse(String(data))
        if (message.type === 'ready') message.build.timestamp = '2999-01-01T00:00:00.000Z'
        socket.send(JSON.stringify(message))
      })
    })
    await page.reload()
    await page.getByRole('banner').waitFor()
    const reload = page.getByRole('status').getByRole('button', { name: 'Reload' })
    await expectPage(reload).toBeVisible()
    const loaded = page.waitForEvent('load')
    await reload.click()
    await loaded
  })

  test('says calmly that the connection is gone, and nothing once it is back', async () => {
    const { page, context } = await openConsole(server, { as: await given.person() })
    await expectPage(page.getByRole('banner')).toBeVisible()
    const notice = page.getByRole('banner').getByRole('status')
    await expectPage(notice).toBeEmpty()
    await context.setOffline(true)
    await page.waitForTimeout(1000)
    expect(await notice.textContent()).toBe('')
    await expectPage(notice).toHaveText('You are offline')
    await context.setOffline(false)
    await expectPage(notice).toBeEmpty()
  })
})
