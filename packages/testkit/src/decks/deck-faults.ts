/** A step of a deck's life that a fault can disturb. */
export type DeckStep = 'open' | 'close' | 'serial' | 'firmware' | 'brightness' | 'logo' | 'picture'

/**
 * A fault of a fake deck. `hangs`: the step waits until the fault is removed; `throws`: the device rejects it; `denied`
 * and `busy`: the operating system does.
 */
export type DeckFaultName = `${DeckStep}-${'hangs' | 'throws'}` | 'open-denied' | 'open-busy'

export type DeckFaults = ReturnType<typeof createDeckFaults>

/**
 * The faults of one fake deck, for decks of browsers and of edges. The function also runs in a page, as text, so it must
 * not use anything outside itself.
 */
export function createDeckFaults(initial: readonly DeckFaultName[] = []) {
  let faults = new Set<string>(initial)
  const waiting = new Set<() => void>()
  return {
    /** Replaces the faults. Steps that hang continue, unless they hang again. */
    set(next: readonly DeckFaultName[]): void {
      faults = new Set(next)
      for (const wake of waiting) wake()
      waiting.clear()
    },
    /** Meets the faults of a step before the device performs it. */
    async meet(step: DeckStep): Promise<void> {
      while (faults.has(`${step}-hangs`)) await new Promise<void>((resolve) => void waiting.add(resolve))
      if (faults.has(`${step}-throws`)) throw new Error(`could not ${step}`)
      for (const [name, code] of [
        ['denied', 'EACCES'],
        ['busy', 'EBUSY'],
      ])
        if (faults.has(`${step}-${name}`))
          throw Object.assign(new Error(`cannot open device: ${code}`), { code })
    },
  }
}
