import { productName } from '../page-title.ts'
import { texts } from './recovery-codes.texts.ts'

/** What the file holds: found again after years, it says what the codes are for and whose they are. */
export function recoverySheet({ codes, account }: { codes: readonly string[]; account: string }): string {
  const lines = [texts.sheetTitle(productName), location.origin, account, '', ...codes, '', texts.sheetText]
  return `${lines.join('\n')}\n`
}
