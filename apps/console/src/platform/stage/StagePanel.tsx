import { BrandMark } from '@pult/ui'
import type { ReactNode } from 'react'
import { productName } from '../page-title.ts'
import { Stage } from './Stage.tsx'

interface StagePanelProps {
  children: ReactNode
  /** The language of the panel, if it differs from the console's. */
  lang?: string | undefined
  /** The panel covers the next page. */
  isCover?: boolean
}

/** A form on the stage, such as the login. */
export function StagePanel({ children, lang, isCover = false }: StagePanelProps) {
  return (
    <Stage isCover={isCover}>
      <div className="stage-panel" lang={lang}>
        <div className="stage-brand">
          <BrandMark size={40} label={productName} />
        </div>
        {children}
      </div>
    </Stage>
  )
}
