import { Spinner } from '@pult/ui'
import { Stage } from '#platform/stage/Stage.tsx'
import { texts } from './token-links.texts.ts'

/** What a link is for, or what it does, is not known yet. */
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
