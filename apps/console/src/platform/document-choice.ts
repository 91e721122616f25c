import { storage } from './storage.ts'
import { createStore } from './store.ts'

/**
 * A choice of the user that styles read from a data attribute of the document. Stored in the browser and shared by its
 * tabs. The first value is the default and has no attribute.
 */
export function createDocumentChoice<Value extends string>(
  name: 'theme' | 'density' | 'letterKeys',
  values: readonly [Value, ...Value[]],
) {
  const [usual] = values
  const stored = storage[name]
  const parse = (text: string | null) => values.find((value) => value === text) ?? usual
  const current = createStore<Value>(usual)

  function show(chosen: Value): void {
    if (chosen === usual) delete document.documentElement.dataset[name]
    else document.documentElement.dataset[name] = chosen
    current.set(chosen)
  }

  show(parse(stored.read()))
  stored.onChangeElsewhere((text) => show(parse(text)))
  return {
    get: current.get,
    subscribe: current.subscribe,
    choose: (chosen: Value) => {
      stored.write(chosen === usual ? null : chosen)
      show(chosen)
    },
  }
}
