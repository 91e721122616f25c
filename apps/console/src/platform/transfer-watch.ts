/** Milliseconds without a sent byte after which a transfer counts as broken. */
const silenceMost = 60_000

/** Milliseconds for the answer after the last byte: the server inspects a large file before it answers. */
const answerMost = 300_000

/** Milliseconds without a sent byte after which a transfer is given up once the connection is back. */
const silenceAfterLoss = 10_000

export interface TransferWatch {
  /** Bytes have been sent. */
  moved: () => void
  /** All bytes have been sent, so only the answer is missing. */
  sent: () => void
  /** The server can be reached again. A silent transfer still uses the lost connection. */
  check: () => void
  end: () => void
}

/** Calls `giveUp` when a transfer makes no progress. Browsers wait much longer, or forever after a sleep. */
export function watchTransfer(giveUp: () => void): TransferWatch {
  let isSent = false
  let lastMove = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const expect = (milliseconds: number) => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, milliseconds)
    lastMove = Date.now()
  }
  expect(silenceMost)
  return {
    moved: () => {
      if (!isSent) expect(silenceMost)
    },
    sent: () => {
      isSent = true
      expect(answerMost)
    },
    check: () => {
      if (!isSent && Date.now() - lastMove > silenceAfterLoss) giveUp()
    },
    end: () => clearTimeout(timer),
  }
}
