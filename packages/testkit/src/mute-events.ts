import type { Page } from '@playwright/test'

/**
 * Accepts the page's socket, but delivers no replies to subscriptions and no events, so that failed loads stay failed
 * until the user retries. Must be called before the page opens.
 */
export async function muteEvents(page: Page): Promise<void> {
  await page.routeWebSocket('**/api/ws', (socket) => {
    socket.connectToServer().onMessage((data) => {
      if (String(data).includes('"type":"ready"')) socket.send(data)
    })
  })
}
