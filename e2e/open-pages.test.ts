import type { Page, Request } from '@playwright/test'
import { openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

/* What the pages of the console ask the server for while no user does anything. */

const server = await testServer({ withConsole: true })
const { given } = server

const pages = [
  '/',
  '/tasks',
  '/projects',
  '/orgs',
  '/me/sessions',
  '/settings/notifications',
  '/settings/stream-decks',
  '/app/edges',
  '/app/edges/keys',
  '/app/edges/jobs',
  '/app/edges/schedules',
  '/app/media-library',
  '/app/project-details/overview',
  '/app/project-details/people',
  '/app/project-details/notes',
]
const pagesOfRoot = ['/root', '/app/accounts', '/app/extensions', '/app/audit']

async function openPage(path: string): Promise<{ page: Page; reads: string[]; personId: string }> {
  const root = await given.person({ isRoot: true })
  await given.project(root, { label: 'Hall 7', products: ['project', 'media-library', 'edges'] })
  const { page } = await openConsole(server, { as: root, path: null })
  const reads: string[] = []
  page.on('request', (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/api/')) reads.push(pathname + search)
  })
  // The clock stands still between the steps, so that a slow machine does not reach the first poll.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  await page.goto(path)
  await settle(page)
  await page.getByRole('main').first().waitFor()
  return { page, reads, personId: root.personId }
}

/** Waits until the replies have arrived, and what they cause: late parts of the frame, and events. */
async function settle(page: Page): Promise<void> {
  for (let seconds = 0; seconds < 3; seconds += 1) {
    await page.waitForLoadState('networkidle')
    await page.clock.runFor(1000)
  }
  await page.waitForLoadState('networkidle')
}

test.each([...pages, ...pagesOfRoot])(
  'DEC-02 RULE-29 %s reads nothing twice when it opens, and lets the session of root go idle',
  async (path) => {
    const { page, reads, personId } = await openPage(path)
    const twice = reads.filter((read, at) => reads.indexOf(read) !== at)
    await sql`update session set last_seen_at = now() - interval '11 hours' where person_id = ${personId}`.execute(
      server.db,
    )
    const before = reads.length
    // Short enough for the answers of the socket, whose time limits run by the same clock.
    for (let seconds = 0; seconds < 240; seconds += 8) {
      await page.clock.runFor(8000)
      await page.waitForLoadState('networkidle')
    }
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from now() - last_seen_at)::float8 / 3600 as hours from session
      where person_id = ${personId}`.execute(server.db)
    expect(rows[0]?.hours, reads.slice(before).join('\n')).toBeGreaterThan(10.9)
    expect(twice).toEqual([])
  },
)
