import { IconButton } from '@pult/ui'
import Copy from 'lucide-react/icons/copy'
import Square from 'lucide-react/icons/square'
import { texts } from './windows.texts.ts'

/** Maximises the window, or restores its previous position. */
export function ZoomButton({ isFree, onClick }: { isFree: boolean; onClick: () => void }) {
  return isFree ? (
    <IconButton label={texts.maximise} icon={<Square aria-hidden="true" />} onClick={onClick} />
  ) : (
    <IconButton label={texts.restore} icon={<Copy aria-hidden="true" />} onClick={onClick} />
  )
}
