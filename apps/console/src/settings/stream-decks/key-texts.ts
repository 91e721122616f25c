import { drawKeyLabel, type KeyPlace } from '@pult/sdk/ui'

/** What a key shows of its record: "42 %", "Online". */
export interface KeyState {
  text: string
  tone: 'running' | 'good' | 'bad' | 'quiet'
}

interface KeyTexts {
  label: string
  state: KeyState | undefined
  hasIcon: boolean
}

export const ink = '#ffffff'
export const tones = { running: '#4fc6d3', good: '#62cf93', bad: '#ff938c', quiet: '#c3ccd4' }

/** Shares of a key above its texts, for the icon. */
const iconShares = [0.58, 0.3]
/** The same for a key whose state has a line below its label. */
const sharesAboveState = [0.42, 0.28]
const noIcon = [0.05]
/** Share of a key for the line of its state. */
const stateShare = 0.23

/**
 * Draws the label of a key, and its state below, so that a key with a state still shows whose state it is. Returns the
 * share of the key that stays free above.
 */
export function drawKeyTexts(
  context: CanvasRenderingContext2D,
  { label, state, hasIcon }: KeyTexts,
  place: KeyPlace,
): number {
  if (state === undefined || label === '') {
    const text = state?.text ?? label
    if (text === '') return 1
    const color = state === undefined ? ink : tones[state.tone]
    return drawKeyLabel(context, text, place, { free: hasIcon ? iconShares : noIcon, color })
  }
  const { top, height } = place
  drawKeyLabel(context, state.text, place, { free: [0.95 - stateShare], color: tones[state.tone] })
  const free = (hasIcon ? sharesAboveState : noIcon).map((share) => share + stateShare)
  return drawKeyLabel(context, label, { ...place, top: top - height * stateShare }, { free }) - stateShare
}
