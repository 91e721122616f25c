import { CopyButton } from '@pult/ui'
import { texts } from './condition.texts.ts'

/** Copies lines for the environment of the server. */
export const CopySetting = ({ text }: { text: string }) => (
  <CopyButton text={text} copiedLabel={texts.copied} failedLabel={texts.copyFailed}>
    {texts.copySetting}
  </CopyButton>
)
