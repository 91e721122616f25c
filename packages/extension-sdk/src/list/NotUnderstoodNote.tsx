import { nameFrom } from '@pult/contract'
import { Button, EmptyState } from '@pult/ui'
import { useTexts } from '../texts.ts'
import type { NotUnderstood } from './not-understood.ts'

const catalogues = {
  de: {
    title: 'This link contains a value that is not understood',
    text: (parameters: string) => `${parameters}. Nothing is shown until you remove it.`,
    remove: 'Remove',
  },
  'de-DE': {
    title: 'Dieser Link enthält einen Wert, der nicht verstanden wird',
    text: (parameters: string) => `${parameters}. Erst ohne diesen Wert wird etwas angezeigt.`,
    remove: 'Entfernen',
  },
}

export interface NotUnderstoodNoteProps {
  parameters: readonly NotUnderstood[]
  /** Removes them from the address. */
  onRemove: () => void
}

/** Names the parameters of the address that the page does not understand, in place of the content that they would select. */
export function NotUnderstoodNote({ parameters, onRemove }: NotUnderstoodNoteProps) {
  const texts = useTexts(catalogues)
  const named = parameters.map(({ name, value }) => `${name}=${nameFrom(value, 60)}`)
  return (
    <div role="status">
      <EmptyState
        title={texts.title}
        text={texts.text(named.join(', '))}
        action={<Button onClick={onRemove}>{texts.remove}</Button>}
      />
    </div>
  )
}
