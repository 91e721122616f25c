import { Link } from '@pult/ui'
import { productName } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { texts } from './boot.texts.ts'

/** Replaces the console on a page over plain http, and links to the same page over https. */
export function HttpsNeeded({ place }: { place: URL }) {
  return (
    <StagePanel>
      <h1>{productName}</h1>
      <p role="alert">{texts.httpsNeeded}</p>
      <p>
        <Link href={place.href}>{texts.openPlace(place.origin)}</Link>
      </p>
    </StagePanel>
  )
}
