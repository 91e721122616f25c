import { EventEmitter, once } from 'node:events'

import type { CDPSession, Page } from 'playwright-core'

declare global {
  interface Window {
    /** Binding of the bench that receives a mark as text. */
    benchMark: (text: string) => void
  }
}

type MarkName = 'usable' | 'submitted' | 'home' | 'apps' | 'violation'

/** Text that identifies the home page. */
interface Arrival {
  home: string
  /** Text of the first app, for a console with apps. */
  apps?: string
}

export interface Marks {
  /** Milliseconds since the start of the navigation. */
  when(name: MarkName): Promise<number>
  /** The submission that led to the home page. */
  lastSubmit(): number
  violations: string[]
}

const patience = 30_000

/**
 * Records in the page when elements become visible, with the same script for every page. The bench does not poll from
 * outside, because polling would use time of the page.
 */
export async function markFrames(page: Page, cdp: CDPSession, arrival: Arrival): Promise<Marks> {
  const marked = new Map<MarkName, number>()
  const violations: string[] = []
  const events = new EventEmitter()

  await cdp.send('Runtime.enable')
  await cdp.send('Runtime.addBinding', { name: 'benchMark' })
  cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== 'benchMark') return
    const mark = JSON.parse(payload) as { name: MarkName; at: number; text?: string }
    if (mark.name === 'violation') violations.push(mark.text ?? '')
    marked.set(mark.name, mark.at)
    events.emit(mark.name)
  })
  await page.addInitScript(watchFrames, arrival)

  return {
    async when(name) {
      if (!marked.has(name)) {
        await once(events, name, { signal: AbortSignal.timeout(patience) }).catch((cause: unknown) => {
          throw new Error(`The page at ${page.url()} was not ${name} within ${patience / 1000} s`, { cause })
        })
      }
      return marked.get(name) ?? Number.NaN
    },
    lastSubmit: () => marked.get('submitted') ?? Number.NaN,
    violations,
  }
}

/**
 * Runs in the page before its scripts. Marks the first frame with a usable form field, and the first frames with the
 * home page and its apps. The pages render only on the client, so React already handles the events of an existing
 * field.
 */
function watchFrames(arrival: Arrival): void {
  const mark = (name: string, text?: string) =>
    window.benchMark(JSON.stringify({ name, at: performance.now(), text }))
  const seen = new Set<string>()

  const isShown = (element: Element | null): boolean => {
    if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    const { left, top, width, height } = element.getBoundingClientRect()
    if (width === 0 || height === 0) return false
    // No other element covers it.
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return hit !== null && (element.contains(hit) || hit.contains(element))
  }
  const isUsable = (field: HTMLInputElement | null) =>
    field !== null &&
    !field.disabled &&
    !field.readOnly &&
    field.closest('[inert]') === null &&
    isShown(field)

  const waiting = new Set<keyof Arrival>(arrival.apps === undefined ? ['home'] : ['home', 'apps'])
  const look = () => {
    if (!seen.has('usable') && isUsable(document.querySelector('input'))) {
      seen.add('usable')
      mark('usable')
    }
    for (const name of waiting) {
      if (!isShown(document.querySelector(arrival[name] ?? ''))) continue
      waiting.delete(name)
      mark(name)
    }
    if (waiting.size > 0) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  addEventListener('submit', () => mark('submitted'), true)
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    mark('violation', `${violatedDirective} ${blockedURI} ${sourceFile}`),
  )
}
