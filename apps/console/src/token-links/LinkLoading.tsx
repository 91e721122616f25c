import { Spinner } from '@pult/ui'
import { Stage } from '#platform/stage/Stage.tsx'
import { texts } from './token-links.texts.ts'

/** Shown until the purpose or the outcome of a link is known. */
export function LinkLoading() {
  return (
    <Stage>
      <div className="stage-page">
        <h1>
          <Spinner label={texts.loading} />
        </h1>
      </div>
    </Stage>
  )
}
