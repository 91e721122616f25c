import { SectionPage } from '#platform/section/SectionPage.tsx'
import { texts } from './account.texts.ts'
import { accountPlaces } from './account-places.tsx'

/** Shows one page of the signed-in account at a time. */
export function AccountPage() {
  return <SectionPage title={texts.title} places={accountPlaces} />
}
