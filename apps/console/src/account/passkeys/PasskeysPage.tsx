import { PageHead } from '@pult/ui'
import { PasskeyList } from './PasskeyList.tsx'
import { texts } from './passkeys.texts.ts'
import { RegisterPasskey } from './RegisterPasskey.tsx'

/** The user's passkeys, which sign in without a password. */
export function PasskeysPage() {
  return (
    <>
      <PageHead title={texts.title} text={texts.description} />
      <PasskeyList />
      <RegisterPasskey />
    </>
  )
}
