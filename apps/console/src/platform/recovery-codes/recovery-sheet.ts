import { productName } from '../page-title.ts'
import { texts } from './recovery-codes.texts.ts'

/** Returns the content of the file. It names the purpose and the account, because users may find it years later. */
export function recoverySheet({ codes, account }: { codes: readonly string[]; account: string }): string {
  const lines = [texts.sheetTitle(productName), location.origin, account, '', ...codes, '', texts.sheetText]
  return `${lines.join('\n')}\n`
}
