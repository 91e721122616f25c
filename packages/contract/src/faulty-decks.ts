import { isDeckSerial } from './deck-serial.ts'
import { edgeDeck, edgeDecksMax, type FaultyDeck } from './edge-agent.ts'
import { lineFrom } from './text.ts'

/**
 * Returns the decks of a report that a server leaves out, with the reasons, so that they are shown as attached. An agent of
 * an earlier release reports decks without a usable serial number, and several with the same. Their path is their place in
 * the report.
 */
export function faultyDecksOf(devices: unknown): FaultyDeck[] {
  const serials = new Set<string>()
  return (Array.isArray(devices) ? devices : [])
    .slice(0, 2 * edgeDecksMax)
    .flatMap((device: unknown, index): FaultyDeck[] => {
      const { serial, model } = { serial: null, model: null, ...(device as object | null) }
      const reported = typeof serial === 'string' ? serial : ''
      const isRepeated = serials.has(reported)
      const isFitting = edgeDeck.safeParse(device).success
      if (isFitting && !isRepeated) {
        serials.add(reported)
        return []
      }
      const fault = isFitting ? 'same-serial' : isDeckSerial(reported) ? 'unknown-model' : 'no-serial'
      const detail = reported === '' ? null : lineFrom(reported, 64)
      return [
        {
          path: `#${index + 1}`,
          model: typeof model === 'string' ? lineFrom(model, 100) : '',
          fault,
          detail,
        },
      ]
    })
}
