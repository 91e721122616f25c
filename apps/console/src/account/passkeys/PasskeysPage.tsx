import { PageHeader } from '@pult/ui'
import { usePageTitle } from '#platform/page-title.ts'
import { PasskeyList } from './PasskeyList.tsx'
import { texts } from './passkeys.texts.ts'
import { RegisterPasskey } from './RegisterPasskey.tsx'

/** The devices that sign their owner in without a password. */
export function PasskeysPage() {
  usePageTitle(texts.title)
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <PasskeyList />
      <RegisterPasskey />
    </>
  )
}
