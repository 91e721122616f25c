import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { apiBase } from '@pult/contract'
import { expectPage, freePort, sized, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumFlags, findBrowser } from '../tools/browser.ts'
import { type ThirdPartyTool, thirdPartyTool } from '../tools/third-party/third-party-tool.ts'

/* Checkers that operators point at a web application. Only the long run installs them. */

const server = await testServer({ withConsole: true })
const mayRun = sized(false, true)

const temporaryFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-third-party-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('the document describes the console, and robots.txt refuses crawlers', async () => {
  const html = await (await fetch(server.url)).text()
  expect(html).toContain(
    '<meta name="description" content="Administration console for edge and device platforms."',
  )
  const robots = await fetch(`${server.url}/robots.txt`)
  expect(robots.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(await robots.text()).toMatch(/^Disallow: \/$/m)
})

test.for(['/', `${apiBase}/docs`, `${apiBase}/guides/backup`])(
  'html-validate finds nothing in %s',
  {
    tags: ['long'],
  },
  async (path, { skip }) => {
    const answer = await fetch(server.url + path)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await answer.text()
    expect(html).toMatch(/^<!doctype html>/)
    const validate = await thirdPartyTool('html-validate', { mayRun })
    if ('reason' in validate) return skip(validate.reason)
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'page.html'), html)
    const { code, stdout } = await validate.run(['--preset', 'standard', 'page.html'], { cwd: folder })
    expect([code, stdout]).toEqual([0, ''])
  },
)

interface LighthouseReport {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null }>
}

/**
 * A console answers crawlers with `Disallow: /`, so the audit that asks for the opposite is left out. The browser keeps
 * its storage, which contains the session.
 */
const lighthouseOptions = [
  '--preset=desktop',
  '--only-categories=performance,accessibility,best-practices,seo',
  '--skip-audits=is-crawlable',
  '--disable-storage-reset',
  '--no-enable-error-reporting',
  '--output=json',
  '--output-path=report.json',
  '--quiet',
]

/** Performance is a measured time: it varies while other programs use the processor. */
const leastScores: Record<string, number> = { performance: 0.95 }
const runsMost = 3

/** Returns the categories with too low a score, and the audits that cost points. */
async function pointsLost(lighthouse: ThirdPartyTool, token: string | null) {
  const folder = await temporaryFolder()
  const port = await freePort()
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: await findBrowser(),
    args: [...chromiumFlags, `--remote-debugging-port=${port}`],
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${server.url}/robots.txt`)
  if (token !== null) await page.evaluate((value) => localStorage.setItem('pult.token', value), token)
  const run = await lighthouse.run([server.url, `--port=${port}`, ...lighthouseOptions], { cwd: folder })
  expect(run.code, run.stderr).toBe(0)
  await page.goto(server.url)
  // Only the frame of a signed-in user has a navigation.
  await expectPage(page.locator(token === null ? 'form' : 'nav').first()).toBeVisible()
  await context.close()
  const { categories, audits } = JSON.parse(
    await readFile(join(folder, 'report.json'), 'utf8'),
  ) as LighthouseReport
  const points = Object.entries(categories).map(([name, { score }]) => `${name} ${Math.round(score * 100)}`)
  process.stdout.write(`Lighthouse, ${token === null ? 'login' : 'home'}: ${points.join(', ')}\n`)
  return Object.entries(categories).flatMap(([category, { score, auditRefs }]) => {
    const lost = auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    return score >= (leastScores[category] ?? 1)
      ? []
      : [{ category, score, audits: lost.map(({ id }) => id) }]
  })
}

test.for(['login', 'home'] as const)(
  'Lighthouse gives the %s page 100 in three categories, and at least 95 for performance',
  {
    tags: ['long'],
  },
  async (name, { skip }) => {
    const lighthouse = await thirdPartyTool('lighthouse', { mayRun })
    if ('reason' in lighthouse) return skip(lighthouse.reason)
    const ada = await server.given.person()
    await server.given.project(ada)
    const measure = () => pointsLost(lighthouse, name === 'home' ? ada.token : null)
    let lost = await measure()
    for (let runs = 1; runs < runsMost && lost.some(({ category }) => category === 'performance'); runs += 1)
      lost = await measure()
    expect(lost).toEqual([])
  },
)
