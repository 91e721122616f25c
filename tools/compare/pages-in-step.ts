import type { Locator, Page } from 'playwright-core'

type Method = (...args: unknown[]) => unknown

/** Methods that return another locator. */
const derives = /^(?:getBy\w+|locator|first|last|nth|filter)$/

/** The part of an element that `positionOf` reads. */
interface Place {
  localName: string
  parentElement: Place | null
  children: Iterable<Place>
}

/** Returns the position of an element, which is the same in pages that differ only in their language. */
function positionOf(element: Place): string {
  const steps: string[] = []
  for (let at = element; at.parentElement !== null; at = at.parentElement) {
    const index = [...at.parentElement.children].indexOf(at)
    steps.unshift(`${at.localName}:nth-child(${index + 1})`)
  }
  return ['html', ...steps].join(' > ')
}

/**
 * Returns a page whose actions happen on all pages. The first page finds the elements by their texts, and the others by
 * their position, because the steps of a state contain the texts of one language.
 */
export function inStep(pages: readonly Page[]): Page {
  return forwarding(first(pages), (name) => {
    if (name === 'keyboard') return onAll(pages.map(({ keyboard }) => keyboard))
    if (name === 'context') return () => onAll(pages.map((page) => page.context()))
    if (!derives.test(name)) return (...args: unknown[]) => callAll(pages, name, args)
    return (...args: unknown[]) =>
      locatorInStep(
        pages.map((page) => call(page, name, args) as Locator),
        pages,
      )
  })
}

function locatorInStep(locators: readonly Locator[], pages: readonly Page[]): Locator {
  const leader = first(locators)
  async function act(name: string, args: unknown[]): Promise<unknown> {
    const [options] = args as [{ state?: string } | undefined]
    // An element that has disappeared has no position.
    if (name === 'waitFor' && options?.state === 'detached') return callAll(locators, name, args)
    if (name === 'waitFor') await call(leader, name, args)
    const position = await leader.evaluate(positionOf)
    const all = pages.map((page, index) => (index === 0 ? leader : page.locator(position)))
    return callAll(all, name, args)
  }
  return forwarding(leader, (name) => (...args: unknown[]) => {
    if (!derives.test(name)) return act(name, args)
    return locatorInStep(
      locators.map((locator) => call(locator, name, args) as Locator),
      pages,
    )
  })
}

const onAll = <Thing extends object>(things: readonly Thing[]): Thing =>
  forwarding(
    first(things),
    (name) =>
      (...args: unknown[]) =>
        callAll(things, name, args),
  )

/** A promise would resolve to its `then`, so the result has none. */
const forwarding = <Thing extends object>(thing: Thing, member: (name: string) => unknown): Thing =>
  new Proxy(thing, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : member(name)),
  })

async function callAll(things: readonly object[], name: string, args: unknown[]): Promise<unknown> {
  const [result] = await Promise.all(things.map((thing) => call(thing, name, args)))
  return result
}

const call = (thing: object, name: string, args: unknown[]): unknown =>
  (Reflect.get(thing, name) as Method).apply(thing, args)

function first<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (item === undefined) throw new Error('At least one page is needed')
  return item
}
