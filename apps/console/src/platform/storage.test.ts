import { afterEach, expect, test, vi } from 'vitest'
import { isSessionInMemory, openDocument, storage } from './storage.ts'

/*
 * The storage of this environment rejects every value, as that of a browser which blocks site data. Only what a browser
 * cannot show is tested here: the user's answer to its question.
 */

const reload = vi.fn<() => void>()
const history = {
  state: null as unknown,
  replaceState: (state: unknown) => void (history.state = state),
  pushState: (state: unknown) => void (history.state = state),
}

/** The page with a held session, on an entry of the router. */
function givenPage(): EventTarget {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('history', history)
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('localStorage', undefined)
  history.state = { usr: { refusedProject: 'Messe' }, key: 'k', idx: 2 }
  storage.token.write('token-of-ada')
  return page
}

afterEach(() => {
  reload.mockReset()
  vi.unstubAllGlobals()
})

test('tournesol#2013 a new address gets the held values, but no message of the previous page', () => {
  givenPage()
  expect(isSessionInMemory()).toBe(true)
  openDocument('/')
  expect(history.state).toEqual({ pultMemory: expect.objectContaining({ 'pult.token': 'token-of-ada' }) })
  expect(reload).toHaveBeenCalledOnce()
})

test('tournesol#2013 the token leaves the history if the user stays on the page', () => {
  const page = givenPage()
  page.addEventListener('beforeunload', (event) => event.preventDefault())
  openDocument()
  page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(history.state).toHaveProperty('pultMemory')
  page.dispatchEvent(new Event('keydown'))
  expect(history.state).toEqual({ usr: { refusedProject: 'Messe' }, key: 'k', idx: 2 })
})

test('tournesol#2013 an input while the page reloads leaves the held values to the next document', () => {
  const page = givenPage()
  openDocument()
  page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  page.dispatchEvent(new Event('keydown'))
  expect(history.state).toHaveProperty('pultMemory')
})
