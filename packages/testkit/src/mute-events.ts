import type { Page } from '@playwright/test'

/**
 * Lets the page connect, but delivers no answer to its subscriptions and no event. Data that it failed to load then stays
 * missing until the user tries again. Call it before the page opens.
 */
export async function muteEvents(page: Page): Promise<void> {
  await page.routeWebSocket('**/api/ws', (socket) => {
    socket.connectToServer().onMessage((data) => {
      if (String(data).includes('"type":"ready"')) socket.send(data)
    })
  })
}
